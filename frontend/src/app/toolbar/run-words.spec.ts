import { describe, expect, it } from 'vitest';
import { problemsText, shareRead, statusExplanation, statusText } from './run-words';

const RUN = {
  status: 'complete',
  bytes_indexed: 2_800_000,
  bytes_total: 2_800_000,
  num_executions: 101,
  num_graph_executions: 150,
  num_problems: 0,
  num_notes: 0,
} as const;

describe('the status of a run', () => {
  it('says how it stands and how many events there are', () => {
    expect(statusText(RUN)).toBe('complete · 251 events');
    const half = { ...RUN, status: 'loading', bytes_indexed: 1_400_000 } as const;
    expect(statusText(half)).toBe('loading 50 % · 251 events');
    expect(shareRead(half)).toBe(0.5);
    expect(shareRead({ ...half, bytes_total: 0 })).toBe(0);
  });

  it.each([
    [{ ...RUN, status: 'loading' as const }, 'What is on disk is being read'],
    [{ ...RUN, status: 'live' as const }, 'appears here by itself'],
    [{ ...RUN, status: 'damaged' as const, num_problems: 1 }, 'is lost; all the rest is shown'],
    [RUN, 'All that was written is shown'],
    [{ ...RUN, num_problems: 2, num_notes: 1 }, 'but not all can be shown'],
    [{ ...RUN, num_problems: 1, num_notes: 1 }, 'All that was written is shown'],
  ])('says what that means %#', (run, text) => {
    expect(statusExplanation(run)).toContain(text);
    expect(statusExplanation(run)).toContain('2.8 MB of 2.8 MB read.');
  });

  it.each([
    [0, 0, ''],
    [1, 0, '1 problem'],
    [3, 1, '2 problems'],
    [1, 1, '1 note'],
    [2, 2, '2 notes'],
  ])('says how many problems there are: %s, of which %s are notes', (all, notes, text) => {
    expect(problemsText({ ...RUN, num_problems: all, num_notes: notes })).toBe(text);
  });
});
