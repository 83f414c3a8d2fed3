import { describe, expect, it } from 'vitest';
import { alertIndex, executionIndex, fileIndex, traceIndex } from '../api/indices';
import { decodeView, encodeView } from './selection-url';
import { EMPTY_VIEW, type SelectedEvent, type View } from './view';

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
      traceFilter: { text: 'Log & more', infNanOnly: true },
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

  it('takes only the run from a version it does not know', () => {
    const view = decodeView(new Map(Object.entries({ v: '9', run: 'r', at: 'trace:1' })));
    expect(view).toEqual({ ...EMPTY_VIEW, run: 'r' });
  });
});
