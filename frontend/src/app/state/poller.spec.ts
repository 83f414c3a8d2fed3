import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Poller } from './poller';

describe('Poller', () => {
  let asked: number;
  let answer: () => Promise<number>;
  let patience: (place: number) => number;
  let poller: Poller<number>;

  beforeEach(() => {
    vi.useFakeTimers();
    asked = 0;
    answer = () => Promise.resolve(1);
    patience = () => Infinity;
    poller = new Poller({
      ask: () => {
        asked++;
        return answer();
      },
      patience: (_, place) => patience(place),
    });
  });

  afterEach(() => {
    poller.pause();
    vi.useRealTimers();
  });

  /** How often it asks in so many seconds. */
  async function askedWithin(seconds: number): Promise<number> {
    const before = asked;
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return asked - before;
  }

  it('asks nothing before it is woken', async () => {
    expect(await askedWithin(600)).toBe(0);
  });

  it('asks every 2 s while answers change', async () => {
    answer = () => Promise.resolve(asked);
    poller.wake();
    expect(await askedWithin(10)).toBe(5);
    expect(poller.answer()).toBe(6);
  });

  it('asks ever more rarely, at least once a minute, while nothing changes', async () => {
    poller.wake();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await askedWithin(120)).toBe(2);
  });

  it('asks as often as the answer wants', async () => {
    patience = () => 2000;
    poller.wake();
    expect(await askedWithin(20)).toBe(10);
  });

  it('asks soon where an answer is in a hurry, as often as it was woken', async () => {
    patience = (place) => (place < 3 ? 250 : Infinity);
    for (let times = 0; times < 2; times++) {
      poller.wake();
      expect(await askedWithin(1)).toBe(3);
      await vi.advanceTimersByTimeAsync(60_000);
    }
  });

  it('is quick again after a change', async () => {
    poller.wake();
    await vi.advanceTimersByTimeAsync(600_000);
    answer = () => Promise.resolve(asked);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await askedWithin(10)).toBeGreaterThanOrEqual(4);
  });

  it('shows a failure, keeps the last answer and goes on', async () => {
    poller.wake();
    await vi.advanceTimersByTimeAsync(0);
    answer = () => Promise.reject(new Error('TensorBoard does not answer'));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(poller.failure()).toBe('TensorBoard does not answer');
    expect(poller.answer()).toBe(1);
    expect(await askedWithin(120)).toBe(2);
    answer = () => Promise.resolve(2);
    poller.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(poller.failure()).toBeNull();
    expect(poller.answer()).toBe(2);
  });

  it('ignores the answer to a request that a later one replaced', async () => {
    let answerLate: (value: number) => void = () => undefined;
    answer = () => new Promise((resolve) => (answerLate = resolve));
    poller.wake();
    answer = () => Promise.resolve(2);
    poller.wake();
    await vi.advanceTimersByTimeAsync(0);
    answerLate(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(poller.answer()).toBe(2);
  });

  it('pauses', async () => {
    poller.wake();
    await vi.advanceTimersByTimeAsync(0);
    poller.pause();
    expect(await askedWithin(600)).toBe(0);
  });
});
