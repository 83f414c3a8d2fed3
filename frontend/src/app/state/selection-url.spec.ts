import { describe, expect, it } from 'vitest';
import { alertIndex, executionIndex, fileIndex, traceIndex } from '../api/indices';
import { decodeView, encodeView } from './selection-url';
import { EMPTY_VIEW, type EventFilter, passesAll, type SelectedEvent, type View } from './view';

function entriesOf(view: View): Map<string, string> {
  const written = Object.entries(encodeView(view)).filter((entry) => entry[1] !== null);
  return new Map(written as [string, string][]);
}

const events: SelectedEvent[] = [
  { kind: 'execution', index: executionIndex(0) },
  { kind: 'trace', index: traceIndex(1234567) },
  { kind: 'op', graphId: 'a1b2', opName: 'scope/Log:odd:name' },
  { kind: 'source', fileIndex: fileIndex(3), lineno: 24 },
];

const filter: EventFilter = {
  text: 'Log & more',
  regex: true,
  infNanOnly: true,
  allZeroOnly: true,
  dtype: 'float32',
  device: '/job:localhost/replica:0/task:0/device:CPU:0',
  graphId: 'a1b2',
  beginTime: 1795977856.50719,
  endTime: 1795977856.6,
};

describe('the view in the address', () => {
  it.each(events)('comes back: $kind', (event) => {
    const view: View = { ...EMPTY_VIEW, run: 'mlp_log0', event };
    expect(decodeView(entriesOf(view))).toEqual(view);
  });

  it('comes back with everything set', () => {
    const view: View = {
      run: 'a/b#run 2',
      event: { kind: 'trace', index: traceIndex(71) },
      alert: alertIndex(0),
      focus: { hostName: 'vm', filePath: '/home/dev/mlp.py', lineno: 24 },
      stickToBottommost: true,
      traceFilter: { ...filter, opName: 'scope/Log', call: executionIndex(0) },
      executionFilter: { ...filter, text: 'Mat.*', dtype: 'bfloat16', graphId: 'g2' },
      collapsesLoops: true,
      mutes: 'op_type:Log\nregex:^a&b=/c$',
    };
    expect(decodeView(entriesOf(view))).toEqual(view);
  });

  it('writes nothing for the empty view', () => {
    expect(entriesOf(EMPTY_VIEW).size).toBe(0);
  });

  it.each([
    'execution:',
    'execution:-1',
    'execution:1.5',
    'execution:1e3',
    'execution:1:2',
    'execution:99999999999999999999',
    'op:graph',
    'op::Log',
    'source:1:0',
    'source:x:1',
    'nonsense:1',
    ':::',
  ])('leaves out the junk %s', (at) => {
    expect(decodeView(new Map(Object.entries({ run: 'r', at }))).event).toBeNull();
  });

  it('leaves out a focus without a line', () => {
    expect(decodeView(new Map(Object.entries({ file: '/a.py', line: 'x' }))).focus).toBeNull();
  });

  it('leaves out an op without its graph, times that are none, and empty names', () => {
    const junk = { op: 'Log', from: 'NaN', to: '-1', dtype: '', call: 'x', xfrom: '1e99' };
    const view = decodeView(new Map(Object.entries(junk)));
    expect(passesAll(view.traceFilter)).toBe(true);
    expect(passesAll(view.executionFilter)).toBe(true);
  });

  it('tells a filter that lets all pass from one that does not', () => {
    const { traceFilter } = EMPTY_VIEW;
    expect(passesAll(traceFilter)).toBe(true);
    expect(passesAll({ ...traceFilter, text: '  ', regex: true })).toBe(true);
    expect(passesAll({ ...traceFilter, call: executionIndex(0) })).toBe(false);
    expect(passesAll({ ...traceFilter, beginTime: 0 })).toBe(false);
  });

  it('takes only the run from a version it does not know', () => {
    const view = decodeView(new Map(Object.entries({ v: '9', run: 'r', at: 'trace:1' })));
    expect(view).toEqual({ ...EMPTY_VIEW, run: 'r' });
  });
});
