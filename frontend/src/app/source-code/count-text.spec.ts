import { describe, expect, it } from 'vitest';
import type { Schema } from '../api/client';
import { lineCountText, lineCountWords, lineOfInterest, summaryOf } from './count-text';

const line = (lineno: number, num_ops: number, num_bad: number) => ({ lineno, num_ops, num_bad });

describe('the gutter', () => {
  it.each([
    [line(24, 3, 2), '2 of 3', 'Line 24 made 3 ops and executions; 2 of them gave NaN or ∞.'],
    [line(25, 1, 1), '1 of 1', 'Line 25 made 1 op or execution; it gave NaN or ∞.'],
    [line(26, 2, 2), '2 of 2', 'Line 26 made 2 ops and executions; all of them gave NaN or ∞.'],
    [line(19, 4, 0), '4', 'Line 19 made 4 ops and executions; no NaN or ∞ was seen.'],
    [line(30, 5000, 1200), '1,200 of 5,000', expect.stringContaining('1,200 of them')],
  ])('says of %j: %s', (annotation, text, words) => {
    expect(lineCountText(annotation)).toBe(text);
    expect(lineCountWords(annotation)).toEqual(words);
  });

  it('leads to the first line that went bad, or else to the first', () => {
    expect(lineOfInterest([line(19, 4, 0), line(24, 3, 2), line(25, 1, 1)])).toBe(24);
    expect(lineOfInterest([line(19, 4, 0), line(28, 1, 0)])).toBe(19);
    expect(lineOfInterest([])).toBeNull();
  });
});

describe('the summary of a line', () => {
  const op = { execution_index: null } as Schema<'LineEvent'>;
  const execution = { execution_index: 3 } as Schema<'LineEvent'>;
  const of = (num_events: number, numBad: number, ...events: Schema<'LineEvent'>[]) =>
    summaryOf({ num_events, events }, numBad);

  it.each([
    [of(0, 0), 'made nothing that was recorded.'],
    [of(3, 2, op, op, op), 'made 3 ops, 2 bad.'],
    [of(2, 0, op, execution), 'made 1 op and 1 execution.'],
    [of(900, 300, op), 'made 900 ops and executions, 300 bad.'],
  ])('%s', (text, expected) => expect(text).toBe(expected));
});
