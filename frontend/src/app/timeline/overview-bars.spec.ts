import { describe, expect, it } from 'vitest';
import { bucketsFor, overviewBars } from './overview-bars';

const overview = (begins: number[], num_functions: number[], num_alerts: number[], total: number) =>
  ({ begins, num_functions, num_alerts, num_executions: total }) as const;

describe('the overview', () => {
  it('covers the strip, with functions above ops and bad ones told apart', () => {
    const bars = overviewBars(overview([0, 1, 2, 3], [0, 1, 0, 1], [0, 0, 1, 1], 4), 40);
    expect(bars.map(({ left }) => left)).toEqual([0, 10, 20, 30]);
    expect(bars.map(({ width }) => width)).toEqual([9, 9, 9, 9]);
    expect(bars.map(({ kind }) => kind)).toEqual(['op', 'function', 'op', 'function']);
    expect(bars.map(({ bad }) => bad)).toEqual([0, 0, 1, 1]);
    expect(bars.map(({ height }) => height)).toEqual([0.42, 1, 0.42, 1]);
  });

  it('shows one bad execution among thousands', () => {
    const bars = overviewBars(overview([0, 5000], [2500, 10], [0, 1], 10_000), 800);
    expect(bars[0]?.kind).toBe('function');
    expect(bars[0]?.height).toBeCloseTo(0.71);
    expect(bars[0]?.bad).toBe(0);
    expect(bars[1]?.bad).toBe(0.35);
  });

  it('tells how much of a stretch is bad, by its alerts', () => {
    const bad = (alerts: number) => overviewBars(overview([0], [0], [alerts], 100), 800)[0]?.bad;
    expect([1, 60, 100, 250].map(bad)).toEqual([0.35, 0.6, 1, 1]);
  });

  it('is not filled by a single execution', () => {
    expect(overviewBars(overview([0], [1], [0], 1), 800)).toEqual([
      { left: 387.5, width: 24, height: 1, kind: 'function', bad: 0 },
    ]);
    expect(overviewBars(overview([], [], [], 0), 800)).toEqual([]);
  });

  it('asks anew only when the strip has changed a lot', () => {
    expect(bucketsFor(700)).toBe(bucketsFor(760));
    expect(bucketsFor(100)).toBe(100);
    expect(bucketsFor(9000)).toBe(2000);
  });
});
