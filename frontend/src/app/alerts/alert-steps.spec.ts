import { beforeEach, describe, expect, it } from 'vitest';
import { AlertSteps, type TimedAlert } from './alert-steps';

/** Alerts at the times 10, 20, 30 …, each read over a wire. */
class Wire {
  readonly asked: number[] = [];
  readonly aborted: number[] = [];
  failing = false;

  readonly alertAt = async (index: number, signal: AbortSignal): Promise<TimedAlert> => {
    this.asked.push(index);
    signal.addEventListener('abort', () => this.aborted.push(index));
    await Promise.resolve();
    if (this.failing) throw new Error('disk on fire');
    return { index, wall_time: (index + 1) * 10 };
  };
}

describe('steps', () => {
  let wire: Wire;
  let focused: number | null;
  let time: number | null;
  let selected: number[];
  let steps: AlertSteps<TimedAlert>;

  beforeEach(() => {
    wire = new Wire();
    focused = null;
    time = null;
    selected = [];
    steps = new AlertSteps({
      total: () => 100,
      focused: () => focused,
      time: () => time,
      alertAt: wire.alertAt,
      select: ({ index }) => {
        selected.push(index);
        focused = index;
      },
    });
  });

  it('begin at the first alert', async () => {
    await steps.next();
    await steps.next();
    await steps.previous();
    expect(selected).toEqual([0, 1, 0]);
  });

  it('end at the first and the last one', async () => {
    focused = 99;
    await steps.next();
    focused = 0;
    await steps.previous();
    expect(selected).toEqual([]);
    expect(wire.asked).toEqual([]);
    await steps.goTo(99);
    expect(selected).toEqual([99]);
  });

  it('go on from the time of what is selected', async () => {
    time = 305;
    await steps.next();
    focused = null;
    await steps.previous();
    expect(selected).toEqual([30, 29]);
    expect(wire.asked.length).toBeLessThan(20);
  });

  it('skip what happens at the very time', async () => {
    time = 300;
    await steps.next();
    focused = null;
    await steps.previous();
    expect(selected).toEqual([30, 28]);
  });

  it('find nothing after the last and before the first', async () => {
    time = 5000;
    await steps.next();
    time = 1;
    await steps.previous();
    expect(selected).toEqual([]);
  });

  it('ask for no alert twice on one way', async () => {
    time = 305;
    await steps.next();
    expect(new Set(wire.asked).size).toBe(wire.asked.length);
  });

  it('count when they are asked for faster than alerts arrive', async () => {
    focused = 5;
    const first = steps.next();
    await Promise.resolve();
    const second = steps.next();
    await Promise.all([first, second]);
    expect(selected).toEqual([7]);
    expect(wire.aborted).toEqual([6]);
  });

  it('are given up when something else is selected', async () => {
    const step = steps.next();
    await Promise.resolve();
    steps.stop();
    await step;
    expect(selected).toEqual([]);
  });

  it('say why they fail, and can be tried again', async () => {
    wire.failing = true;
    await expect(steps.next()).rejects.toThrow('disk on fire');
    wire.failing = false;
    await steps.next();
    expect(selected).toEqual([0]);
  });
});
