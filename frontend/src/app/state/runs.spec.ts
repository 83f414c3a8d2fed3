import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { Runs } from './runs';
import { Selection, SelectionStore } from './selection';

describe('Runs', () => {
  const visible = signal(true);
  const reloads = signal(0);
  let asked: number;
  let queries: { read?: string }[];
  let answer: Record<string, object>;
  let selection: SelectionStore;

  function open(): Runs {
    const runs = TestBed.inject(Runs);
    TestBed.tick();
    return runs;
  }

  async function pass(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds);
    TestBed.tick();
  }

  beforeEach(() => {
    vi.useFakeTimers();
    visible.set(true);
    asked = 0;
    queries = [];
    answer = {
      old: { start_time: 1, status: 'complete' },
      new: { start_time: 2, status: 'complete' },
      unborn: { start_time: null, status: 'loading' },
    };
    const entries = signal<ReadonlyMap<string, string>>(new Map());
    const replace = (changes: Record<string, string | null>) =>
      entries.set(new Map(Object.entries(changes).filter((e): e is [string, string] => !!e[1])));
    selection = new SelectionStore({ entries, push: replace, replace });
    const client = {
      getAgain: (
        _path: string,
        _signal: AbortSignal,
        former: { payload: object } | null,
        query: { read?: string },
      ) => {
        asked++;
        queries.push(query);
        return Promise.resolve(former?.payload === answer ? former : { payload: answer });
      },
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: Host, useValue: { visible, reloads } },
        { provide: ApiClient, useValue: client },
        { provide: Selection, useValue: selection },
      ],
    });
  });

  afterEach(() => vi.useRealTimers());

  it('lists the newest first and shows it', async () => {
    const runs = open();
    expect(runs.all()).toBeNull();
    await pass(0);
    expect(runs.all()?.map((run) => run.name)).toEqual(['new', 'old', 'unborn']);
    expect(selection.run()).toBe('new');
    expect(runs.selected()?.name).toBe('new');
  });

  it('names the selected run as it asks, so that the server reads it', async () => {
    answer['old'] = { start_time: 1, status: 'unread', num_executions: null, debug_modes: null };
    const runs = open();
    await pass(0);
    expect(queries).toEqual([{}, { read: 'new' }]);
    selection.selectRun('old');
    TestBed.tick();
    expect(queries.at(-1)).toEqual({ read: 'old' });
    await pass(0);
    expect(runs.all()?.at(-2)?.status).toBe('unread');
    expect(runs.selected()).toMatchObject({
      status: 'loading',
      num_executions: 0,
      debug_modes: [],
    });
  });

  it('stays with the run that is shown when a newer one appears', async () => {
    open();
    await pass(0);
    answer = { ...answer, newest: { start_time: 3, status: 'live' } };
    await pass(2000);
    expect(selection.run()).toBe('new');
  });

  it('waits for the run that the address names', async () => {
    selection.adoptRun('later');
    const runs = open();
    await pass(0);
    expect(runs.selected()).toBeNull();
    answer = { later: { start_time: 9, status: 'live' } };
    await pass(2000);
    expect(runs.selected()?.name).toBe('later');
  });

  it('counts a run that took the place of the selected one, and no other change', async () => {
    const run = (id: string, more = {}) => ({ start_time: 2, status: 'live', run_id: id, ...more });
    answer = { again: run(''), other: { ...run('b'), start_time: 1 } };
    const runs = open();
    const answers: [Record<string, object>, number][] = [
      [{ again: run('') }, 0],
      [{ again: run('a'), other: run('b') }, 0],
      [{ again: run('a', { bytes_indexed: 9 }), other: run('b') }, 0],
      [{ other: run('b') }, 0],
      [{ again: run('c'), other: run('b') }, 1],
    ];
    await pass(0);
    for (const [next, count] of answers) {
      answer = next;
      await pass(5000);
      expect(runs.replacements()).toBe(count);
    }
    selection.selectRun('other');
    expect(runs.replacements()).toBe(1);
  });

  it('asks at a reload, and not while the frame is hidden', async () => {
    selection.adoptRun('new');
    open();
    await pass(0);
    reloads.update((count) => count + 1);
    await pass(0);
    expect(asked).toBe(2);
    visible.set(false);
    await pass(600_000);
    expect(asked).toBe(2);
    visible.set(true);
    await pass(0);
    await pass(0);
    expect(asked).toBe(3);
  });
});
