import { describe, expect, it } from 'vitest';
import { executionIndex } from '../api/indices';
import { NO_TRACE_FILTER, type TraceFilter } from '../state/view';
import { filterChips, parseSeconds, refusalText } from './filter-words';

const context = { graphName: (id: string) => `name of ${id}`, start: 1_795_977_856 };
const texts = (filter: Partial<TraceFilter>, elsewhere?: ('text' | 'infNanOnly')[]) =>
  filterChips({ ...NO_TRACE_FILTER, ...filter }, context, elsewhere).map(({ text }) => text);

describe('the chips of a filter', () => {
  it('are one for each active part', () => {
    expect(texts({})).toEqual([]);
    expect(
      texts({
        text: ' Mat.* ',
        regex: true,
        infNanOnly: true,
        allZeroOnly: true,
        dtype: 'bfloat16',
        device: '/job:localhost/replica:0/task:0/device:GPU:1',
        graphId: 'g1',
        call: executionIndex(0),
      }),
    ).toEqual([
      '/Mat.*/',
      'NaN / ∞ only',
      'all zero only',
      'bfloat16',
      'GPU:1',
      'graph name of g1',
      'call 0',
    ]);
  });

  it('leave out what is shown elsewhere', () => {
    expect(texts({ text: 'Log', infNanOnly: true }, ['text', 'infNanOnly'])).toEqual([]);
    expect(texts({ text: 'Log', infNanOnly: true }, ['infNanOnly'])).toEqual(['“Log”']);
  });

  it('are one for the passes of an op in a call', () => {
    const filter = { graphId: 'g1', opName: 'while/Log', call: executionIndex(7) };
    const [chip, ...others] = filterChips({ ...NO_TRACE_FILTER, ...filter }, context);
    expect(others).toEqual([]);
    expect(chip?.text).toBe('while/Log in call 7');
    expect({ ...NO_TRACE_FILTER, ...filter, ...chip?.without }).toEqual(NO_TRACE_FILTER);
  });

  it('tell times since the start', () => {
    expect(texts({ beginTime: 1_795_977_856.5 })).toEqual(['from 0.5 s']);
    expect(texts({ endTime: 1_795_977_858 })).toEqual(['before 2 s']);
    expect(texts({ beginTime: 1_795_977_856.50719, endTime: 1_795_977_858 })).toEqual([
      '0.50719 s to 2 s',
    ]);
  });
});

it('reads seconds as people write them', () => {
  expect(['0.5', '+1.5 s', '0,25', ' 7 ', '12s'].map(parseSeconds)).toEqual([
    0.5, 1.5, 0.25, 7, 12,
  ]);
  expect(['', '-1', '1e3', 'soon', '1.2.3'].map(parseSeconds)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

it('says what is wrong with a filter without the names of parameters', () => {
  expect(refusalText("parameter 'text' cannot be used as a regular expression: missing ): (")).toBe(
    'The text cannot be used as a regular expression: missing ): (',
  );
  expect(refusalText("parameter 'begin_time' is no number")).toBe('The begin time is no number');
  expect(refusalText('Something else.')).toBe('Something else.');
});
