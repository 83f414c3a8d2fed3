import { expect, it } from 'vitest';
import { elapsedText, exactTimeText, startTimeText } from './time-text';

it('writes the hour for this year and the year for others', () => {
  const now = new Date(2026, 10, 30).getTime();
  expect(startTimeText(new Date(2026, 10, 29, 18, 57).getTime() / 1000, now)).toBe('29 Nov 18:57');
  expect(startTimeText(new Date(2025, 10, 29, 18, 57).getTime() / 1000, now)).toBe('29 Nov 2025');
});

it('writes time since the start in the units it needs', () => {
  expect(elapsedText(0.679)).toBe('+0.679 s');
  expect(elapsedText(59.9996)).toBe('+1 min 0.000 s');
  expect(elapsedText(3723.4)).toBe('+1 h 2 min 3.400 s');
  expect(elapsedText(7200)).toBe('+2 h 0 min 0.000 s');
  expect(elapsedText(-0.5)).toBe('−0.500 s');
});

it('writes a time to the millisecond', () => {
  const time = new Date(2026, 10, 29, 18, 57, 36, 674).getTime() / 1000;
  expect(exactTimeText(time)).toBe('29 Nov 2026 18:57:36.674');
});
