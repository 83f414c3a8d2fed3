import { expect, it } from 'vitest';
import { bytesText, countOf, countText, ordinalText, shortCountText } from './number-text';

it('writes numbers as people read them', () => {
  expect(countText(1234567)).toBe('1,234,567');
  expect(shortCountText(99_999)).toBe('99,999');
  expect(shortCountText(147_456)).toBe('147K');
  expect(shortCountText(2_359_296)).toBe('2.36M');
  expect(countOf(1, 'problem')).toBe('1 problem');
  expect(countOf(0, 'problem')).toBe('0 problems');
  expect([1, 2, 3, 11, 21, 1_000].map(ordinalText)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '11th',
    '21st',
    '1,000th',
  ]);
  expect(bytesText(0)).toBe('0 B');
  expect(bytesText(999)).toBe('999 B');
  expect(bytesText(1_536_000)).toBe('1.5 MB');
  expect(bytesText(230e6)).toBe('230 MB');
});
