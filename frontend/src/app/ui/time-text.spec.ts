import { expect, it } from 'vitest';
import { startTimeText } from './time-text';

it('writes the hour for this year and the year for others', () => {
  const now = new Date(2026, 10, 30).getTime();
  expect(startTimeText(new Date(2026, 10, 29, 18, 57).getTime() / 1000, now)).toBe('29 Nov 18:57');
  expect(startTimeText(new Date(2025, 10, 29, 18, 57).getTime() / 1000, now)).toBe('29 Nov 2025');
});
