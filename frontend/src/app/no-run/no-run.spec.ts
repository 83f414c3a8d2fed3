import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import { NoRun } from './no-run';

const OTHER = { other: { start_time: 1, status: 'complete' } };
const BOTH = { ...OTHER, live2: { start_time: 2, status: 'live' } };

describe('in place of a run that is not there', () => {
  let answers: Record<string, object>;
  let fixture: ComponentFixture<NoRun>;

  const search = (numRuns: number) => ({
    logdir: '/logs',
    searching: false,
    num_directories: 3,
    num_runs: numRuns,
    directories: [],
  });
  const get = () => Promise.resolve({ logdir: '/logs' });
  const getAgain = (path: string, _: AbortSignal, former: { payload: object } | null) => {
    const payload = answers[path];
    return Promise.resolve(former && former.payload === payload ? former : { payload });
  };
  const pass = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    fixture.detectChanges();
    await vi.advanceTimersByTimeAsync(0);
    fixture.detectChanges();
  };

  beforeEach(async () => {
    vi.useFakeTimers();
    answers = { '/runs': OTHER, '/logdir': search(1) };
    const entries = signal<ReadonlyMap<string, string>>(new Map([['run', 'live2']]));
    const none = () => undefined;
    TestBed.configureTestingModule({
      providers: [
        { provide: ApiClient, useValue: { get, getAgain } },
        { provide: Host, useValue: { visible: () => true, reloads: () => 0 } },
        {
          provide: Selection,
          useValue: new SelectionStore({ entries, push: none, replace: none }),
        },
      ],
    });
    fixture = TestBed.createComponent(NoRun);
    fixture.detectChanges();
    await pass(0);
    await pass(0);
  });

  afterEach(() => {
    fixture.destroy();
    vi.useRealTimers();
  });

  it('says that there is none of that name, and which one there is', () => {
    const page = fixture.nativeElement as HTMLElement;
    expect(page.textContent).toContain('There is no run named “live2”');
    expect(page.querySelector('button')?.textContent).toContain('Show other');
  });

  it('shows the run once the search has found it, however rarely the list of runs is asked for', async () => {
    await pass(120_000);
    answers = { '/runs': BOTH, '/logdir': search(2) };
    await pass(15_000);
    expect(TestBed.inject(Runs).selected()?.name).toBe('live2');
  });
});
