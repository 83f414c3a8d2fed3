import { describe, expect, it } from 'vitest';
import { beginAt, ExecutionWindow, windowOnStrip } from './execution-window';

function open(total: number, capacity: number): ExecutionWindow {
  const window = new ExecutionWindow();
  window.total.set(total);
  window.capacity.set(capacity);
  return window;
}
const range = (window: ExecutionWindow) => [window.begin(), window.end()];

describe('the window', () => {
  it('never goes beyond the executions', () => {
    const window = open(101, 30);
    expect(range(window)).toEqual([0, 30]);
    window.page(1);
    expect(range(window)).toEqual([30, 60]);
    window.moveBy(1000);
    expect(range(window)).toEqual([71, 101]);
    window.page(-1);
    expect(range(window)).toEqual([41, 71]);
    window.moveTo(-5);
    expect(range(window)).toEqual([0, 30]);
  });

  it('has no more boxes than there are executions', () => {
    expect(range(open(1, 30))).toEqual([0, 1]);
    expect(range(open(0, 30))).toEqual([0, 0]);
  });

  it('reveals an execution a third in, and stays where it is seen already', () => {
    const window = open(1000, 30);
    window.reveal(500);
    expect(range(window)).toEqual([490, 520]);
    window.reveal(519);
    expect(range(window)).toEqual([490, 520]);
    window.reveal(999);
    expect(range(window)).toEqual([970, 1000]);
    window.reveal(3);
    expect(range(window)).toEqual([0, 30]);
  });

  it('stays while the run grows, and shows no gap while it is narrowed', () => {
    const window = open(40, 30);
    window.moveTo(10);
    window.total.set(400);
    expect(range(window)).toEqual([10, 40]);
    window.capacity.set(395);
    expect(range(window)).toEqual([5, 400]);
  });
});

describe('the window on the strip', () => {
  it('covers the share that is seen', () => {
    expect(windowOnStrip({ begin: 25, end: 50, total: 100 }, 800)).toEqual({
      left: 200,
      width: 200,
    });
    expect(windowOnStrip({ begin: 0, end: 5, total: 5 }, 800)).toEqual({ left: 0, width: 800 });
    expect(windowOnStrip({ begin: 0, end: 0, total: 0 }, 800)).toEqual({ left: 0, width: 0 });
  });

  it('can be taken hold of in the longest run, from the first to the last execution', () => {
    const total = 200_000;
    const first = windowOnStrip({ begin: 0, end: 30, total }, 800);
    const last = windowOnStrip({ begin: total - 30, end: total, total }, 800);
    expect(first).toEqual({ left: 0, width: 10 });
    expect(last).toEqual({ left: 790, width: 10 });
  });

  it('goes where it is dragged, and back again', () => {
    const total = 200_000;
    for (const begin of [0, 77_123, total - 30]) {
      const shown = { begin, end: begin + 30, total };
      expect(beginAt(windowOnStrip(shown, 800).left, shown, 800)).toBe(begin);
    }
    expect(beginAt(-50, { begin: 5, end: 35, total }, 800)).toBe(0);
    expect(beginAt(9000, { begin: 5, end: 35, total }, 800)).toBe(total - 30);
    expect(beginAt(100, { begin: 0, end: 5, total: 5 }, 800)).toBe(0);
  });
});
