import {
  createEnvironmentInjector,
  EnvironmentInjector,
  runInInjectionContext,
  signal,
} from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { executionIndex, traceIndex } from '../api/indices';
import { AlertRoles } from './alert-roles';
import { Mutes } from './mutes';
import { Runs } from './runs';
import { Selection } from './selection';
import type { SelectedEvent } from './view';

interface Asked {
  readonly executions: string;
  readonly traces: string;
  readonly signal: AbortSignal;
}

const traces = (...indices: number[]): SelectedEvent[] =>
  indices.map((index) => ({ kind: 'trace', index: traceIndex(index) }));
const execution = (index: number): SelectedEvent => ({
  kind: 'execution',
  index: executionIndex(index),
});

describe('AlertRoles', () => {
  const visible = signal(true);
  const rules = signal<readonly string[]>([]);
  const alerts = signal(10);
  const asked: Asked[] = [];
  let slow: boolean;
  let failing: boolean;
  let roles: AlertRoles;

  /** Every trace is a cause; executions have no alert. */
  const get = (_: string, abort: AbortSignal, query: Record<string, string>) => {
    const traces = query['graph_execution_trace_indices'] ?? '';
    asked.push({ executions: query['execution_indices'] ?? '', traces, signal: abort });
    if (failing) return Promise.reject(new Error('no'));
    if (slow) return new Promise(() => undefined);
    const found = traces.split(',').filter(Boolean).map(Number);
    return Promise.resolve({
      roles: found.map((index) => ({
        alert_index: index,
        execution_index: null,
        graph_execution_trace_index: index,
        role: 'cause',
        is_muted: rules().length > 0,
        parent: null,
      })),
    });
  };
  const pass = async (ms = 100) => {
    TestBed.tick();
    await vi.advanceTimersByTimeAsync(ms);
    TestBed.tick();
  };
  /** A pane that shows events, and what ends it. */
  const pane = (shown: () => SelectedEvent[]): (() => void) => {
    const injector = createEnvironmentInjector([], TestBed.inject(EnvironmentInjector));
    runInInjectionContext(injector, () => roles.follow(shown));
    return () => injector.destroy();
  };

  beforeEach(() => {
    vi.useFakeTimers();
    visible.set(true);
    rules.set([]);
    alerts.set(10);
    asked.length = 0;
    slow = failing = false;
    TestBed.configureTestingModule({
      providers: [
        { provide: ApiClient, useValue: { get } },
        { provide: Host, useValue: { visible } },
        { provide: Mutes, useValue: { rules } },
        {
          provide: Runs,
          useValue: {
            selected: () => ({ num_alerts: alerts(), status: 'complete' }),
            replacements: () => 0,
          },
        },
        { provide: Selection, useValue: { run: () => 'mlp' } },
      ],
    });
    roles = TestBed.inject(AlertRoles);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('asks once for what several panes show, and tells it', async () => {
    pane(() => traces(1, 2));
    pane(() => [...traces(2, 3), execution(7)]);
    await pass();
    expect(asked).toMatchObject([{ executions: '7', traces: '1,2,3' }]);
    expect(roles.of(traces(2)[0] ?? null)?.role).toBe('cause');
    expect(roles.of(execution(7))).toBeNull();
  });

  it('asks for what comes into view only, and for nothing twice', async () => {
    const shown = signal(traces(1, 2));
    pane(shown);
    await pass();
    shown.set(traces(2, 3));
    await pass();
    shown.set(traces(1, 2, 3));
    await pass();
    expect(asked.map(({ traces }) => traces)).toEqual(['1,2', '3']);
  });

  it('asks for nothing while the page is hidden, and for nothing that passed by', async () => {
    const shown = signal(traces(1));
    visible.set(false);
    pane(shown);
    await pass();
    expect(asked).toEqual([]);
    visible.set(true);
    await pass(10);
    shown.set(traces(2));
    await pass();
    expect(asked.map(({ traces }) => traces)).toEqual(['2']);
  });

  it('gives up a request of which nothing is wanted any more', async () => {
    slow = true;
    const shown = signal(traces(1, 2));
    const end = pane(shown);
    await pass();
    shown.set(traces(2, 3));
    await pass();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false]);
    end();
    await pass();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('asks again when the rules or the alerts are others', async () => {
    pane(() => traces(1));
    await pass();
    rules.set(['op:a']);
    await pass();
    expect(roles.of(traces(1)[0] ?? null)?.is_muted).toBe(true);
    alerts.set(11);
    await pass();
    expect(asked).toHaveLength(3);
  });

  it('tries again after a while', async () => {
    failing = true;
    pane(() => traces(1));
    await pass();
    failing = false;
    await pass(5000);
    expect(asked).toHaveLength(2);
    expect(roles.of(traces(1)[0] ?? null)?.role).toBe('cause');
  });

  it('asks for nothing in a run without alerts', async () => {
    alerts.set(0);
    pane(() => traces(1));
    await pass();
    expect(asked).toEqual([]);
  });
});
