import { expect, it } from 'vitest';
import { gapsOnStrip } from './overview-gaps';

const gapsAt = (...indices: number[]) => indices.map((index) => ({ index, text: 'why' }));

it('draws a line where executions are missing', () => {
  expect(gapsOnStrip(gapsAt(0, 500), 1000, 800)).toEqual([
    { left: 0, text: 'why' },
    { left: 400, text: 'why' },
  ]);
  expect(gapsOnStrip([], 0, 800)).toEqual([]);
});

it('draws one line for gaps that are too near to each other', () => {
  expect(gapsOnStrip(gapsAt(10_000, 10_001, 10_002, 90_000), 100_000, 800)).toEqual([
    { left: 80, text: 'Executions are missing at 3 places from #10,000 on.' },
    { left: 720, text: 'why' },
  ]);
  const many = gapsAt(...Array.from({ length: 1000 }, (_, index) => index));
  expect(gapsOnStrip(many, 1000, 400).length).toBeLessThanOrEqual(100);
});
