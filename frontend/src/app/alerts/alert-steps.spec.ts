import { beforeEach, describe, expect, it } from 'vitest';
import { AlertSteps, type AlertsAround } from './alert-steps';

interface Alert {
  readonly index: number;
}

/** Alerts, each read over a wire. */
class Wire {
  readonly asked: number[] = [];
  readonly aborted: number[] = [];
  failing = false;

  readonly alertAt = async (index: number, signal: AbortSignal): Promise<Alert> => {
    this.asked.push(index);
    signal.addEventListener('abort', () => this.aborted.push(index));
    await Promise.resolve();
    if (this.failing) throw new Error('disk on fire');
    return { index };
  };
}

describe('steps', () => {
  let wire: Wire;
  let focused: number | null;
  let around: AlertsAround | null;
  let selected: number[];
  let steps: AlertSteps<Alert>;

  beforeEach(() => {
    wire = new Wire();
    focused = null;
    around = null;
    selected = [];
    steps = new AlertSteps({
      total: () => 100,
      focused: () => focused,
      around: () => Promise.resolve(around),
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

  it('go on from an event that is no alert', async () => {
    around = { previous: 29, next: 30 };
    await steps.next();
    focused = null;
    await steps.previous();
    expect(selected).toEqual([30, 29]);
    expect(wire.asked).toEqual([30, 29]);
  });

  it('find nothing after the last and before the first', async () => {
    around = { previous: 99, next: null };
    await steps.next();
    around = { previous: null, next: 0 };
    await steps.previous();
    expect(selected).toEqual([]);
  });

  it('go on from where the first of two quick ones leads, from an event that is no alert', async () => {
    around = { previous: 29, next: 30 };
    const first = steps.next();
    await Promise.resolve();
    await Promise.resolve();
    const second = steps.next();
    await Promise.all([first, second]);
    expect(selected).toEqual([31]);
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
