import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { steady } from './steady';

describe('a steady signal', () => {
  const value = signal(0);
  const run = signal('a');
  const calm = signal(false);
  let followed: () => number;

  const change = async (to: number, ms = 0) => {
    value.set(to);
    TestBed.tick();
    await vi.advanceTimersByTimeAsync(ms);
    TestBed.tick();
    return followed();
  };

  beforeEach(() => {
    vi.useFakeTimers();
    value.set(0);
    run.set('a');
    calm.set(false);
    followed = TestBed.runInInjectionContext(() => steady(value, { of: run, calm, everyMs: 1000 }));
    TestBed.tick();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('takes the first number at once, and others after a while', async () => {
    expect(await change(1)).toBe(1);
    expect(await change(2, 400)).toBe(1);
    expect(await change(3, 400)).toBe(1);
    expect(await change(4, 400)).toBe(4);
  });

  it('takes each at once when all is calm', async () => {
    calm.set(true);
    expect([await change(1), await change(2), await change(3)]).toEqual([1, 2, 3]);
  });

  it('takes the last one at once when it becomes calm', async () => {
    await change(1);
    await change(2);
    calm.set(true);
    TestBed.tick();
    expect(followed()).toBe(2);
  });

  it('is of another run at once', async () => {
    await change(1);
    run.set('b');
    expect(await change(9)).toBe(9);
  });
});
