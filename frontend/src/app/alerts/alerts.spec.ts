import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { executionIndex, traceIndex } from '../api/indices';
import { Host } from '../host/host';
import { FocusedEvent } from '../state/focused-event';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import { Keyboard } from '../ui/keyboard';
import { ProblemPanel } from '../ui/problem-panel';
import { Alerts } from './alerts';

describe('Alerts', () => {
  const asked: string[] = [];
  const run = signal({ name: 'mlp', alerts: 30, status: 'complete', modes: ['FULL_HEALTH'] });
  const kinds = signal<string[]>([]);
  const trace = signal<object | null>(null);
  let failing = false;
  let selection: SelectionStore;
  let fixture: ComponentFixture<Alerts>;
  let page: HTMLElement;

  /** Alert i is graph execution 100 + i; every third an output of execution i. */
  const alert = (index: number) => ({
    index,
    op_type: 'Log',
    op_name: index % 3 ? `op_${index}` : null,
    function_name: 'loss_fn',
    function_kind: null,
    output_slot: 0,
    size: 8,
    num_nan: index + 1,
    num_neg_inf: 0,
    num_pos_inf: 0,
    execution_index: index % 3 ? null : index,
    graph_execution_trace_index: index % 3 ? 100 + index : null,
    wall_time: index * 10,
    source: null,
  });
  const get = (path: string, _: unknown, query: Record<string, number>) => {
    if (path === '/alerts/around') {
      const next = Number(query['graph_execution_trace_index']) - 100;
      return Promise.resolve({ previous: next - 1, at: null, next, num_alerts: run().alerts });
    }
    if (path === '/root_causes') return Promise.resolve(null);
    const { begin = 0, end = 0 } = query;
    asked.push(`${begin}-${end}`);
    if (failing) return Promise.reject(new Error('disk on fire'));
    const length = end - begin;
    return Promise.resolve({
      alerts_breakdown: run().alerts ? { InfNanAlert: run().alerts } : {},
      alerts: Array.from({ length }, (_, offset) => alert(begin + offset)),
    });
  };

  const pass = async () => {
    for (let turn = 0; turn < 3; turn++) {
      fixture.detectChanges();
      await vi.advanceTimersByTimeAsync(50);
    }
    fixture.detectChanges();
  };
  const words = () => page.textContent.replace(/\s+/g, ' ');
  const rows = () => [...page.querySelectorAll<HTMLElement>('[role=option]')];
  const selectedRow = () => page.querySelector('[aria-selected=true]')?.getAttribute('aria-label');
  const press = async (key: string) => {
    TestBed.inject(Keyboard).answer(new KeyboardEvent('keydown', { key }));
    await pass();
  };

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = () => undefined;
        disconnect = () => undefined;
      },
    );
    // Ten rows.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    asked.length = 0;
    failing = false;
    run.set({ name: 'mlp', alerts: 30, status: 'complete', modes: ['FULL_HEALTH'] });
    kinds.set([]);
    trace.set(null);
    const entries = signal<ReadonlyMap<string, string>>(new Map());
    const write = (changes: Record<string, string | null>) =>
      entries.set(
        new Map(Object.entries(changes).filter((one) => one[1] !== null) as [string, string][]),
      );
    selection = new SelectionStore({ entries, push: write, replace: write });
    selection.adoptRun('mlp');
    const summary = () => ({
      name: run().name,
      status: run().status,
      num_alerts: run().alerts,
      num_executions: 10,
      num_graph_executions: 130,
      bytes_indexed: run().alerts,
      debug_modes: run().modes,
      problem_kinds: kinds(),
    });
    TestBed.configureTestingModule({
      providers: [
        { provide: ApiClient, useValue: { get } },
        { provide: Host, useValue: { visible: () => true } },
        { provide: Runs, useValue: { selected: summary, replacements: () => 0 } },
        { provide: Selection, useValue: selection },
        {
          provide: FocusedEvent,
          useValue: { trace: { answer: trace }, execution: { answer: () => null } },
        },
      ],
    });
    fixture = TestBed.createComponent(Alerts);
    page = fixture.nativeElement as HTMLElement;
    document.body.append(page);
    await pass();
  });

  afterEach(() => {
    fixture.destroy();
    page.remove();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('lists them in order of time, only those in view', () => {
    expect(rows()[0]?.getAttribute('aria-label')).toBe(
      'execution 0, loss_fn, eager, output 0, NaN ×1',
    );
    expect(rows()[1]?.getAttribute('aria-label')).toBe(
      'graph execution 101, op_1:0, loss_fn, NaN ×2',
    );
    expect(rows().length).toBeLessThan(20);
    expect(page.querySelector('.note')?.textContent).toBe('30');
  });

  it('selects what is clicked, and the first one by the row of the kind', async () => {
    rows()[4]?.click();
    await pass();
    expect(selection.event()).toEqual({ kind: 'trace', index: 104 });
    expect(selection.alert()).toBe(4);
    expect(selectedRow()).toContain('graph execution 104');
    selection.select(null);
    await pass();
    page.querySelector<HTMLElement>('.title')?.click();
    await pass();
    expect(selection.event()).toEqual({ kind: 'execution', index: 0 });
    expect(selection.alert()).toBe(0);
  });

  it('goes on and back by keys from anywhere, and says where it is', async () => {
    for (let i = 0; i < 3; i++) await press('n');
    expect(selection.alert()).toBe(2);
    expect(words()).toContain('3 of 30');
    await press('p');
    expect(selection.event()).toEqual({ kind: 'trace', index: 101 });
  });

  it('goes on and back from an event that is no alert', async () => {
    selection.select({ kind: 'trace', index: traceIndex(105) });
    trace.set({ index: 105, alert_index: null });
    await pass();
    await press('n');
    expect(selection.alert()).toBe(5);
    selection.select({ kind: 'trace', index: traceIndex(105) });
    await pass();
    await press('p');
    expect(selection.alert()).toBe(4);
  });

  it('marks the alert that an event is, however it was selected', async () => {
    selection.select({ kind: 'trace', index: traceIndex(107) });
    trace.set({ index: 107, alert_index: 7 });
    await pass();
    expect(selectedRow()).toContain('graph execution 107');
    selection.select({ kind: 'execution', index: executionIndex(3) });
    await pass();
    expect(selectedRow()).toBeUndefined();
  });

  it('shows new alerts in place', async () => {
    run.update((former) => ({ ...former, alerts: 31 }));
    await pass();
    expect(page.querySelector('.note')?.textContent).toBe('31');
    expect(page.querySelector('.count')?.textContent).toBe('31');
    // Those known so far may have others between them now.
    expect(asked.at(-1)).toBe('0-31');
  });

  it('keeps its rows when the next run has as many', async () => {
    asked.length = 0;
    selection.selectRun('other');
    run.update((former) => ({ ...former, name: 'other' }));
    await pass();
    expect(rows()[1]?.getAttribute('aria-label')).toContain('graph execution 101');
    expect(asked.sort()).toEqual(['0-0', '0-30']);
  });

  it.each([
    [0, 'live', ['FULL_HEALTH'], 'No alert: nothing recorded so far holds NaN or ∞.'],
    [0, 'complete', ['FULL_HEALTH'], 'No alert: nothing recorded holds NaN or ∞.'],
    [0, 'complete', [], 'No alert: nothing recorded holds NaN'],
    [0, 'complete', ['SHAPE'], 'Not recorded. SHAPE cannot alert: record with'],
    [0, 'complete', ['NO_TENSOR', 'SHAPE'], 'NO_TENSOR and SHAPE cannot alert'],
    [0, 'complete', ['NO_TENSOR', 'CURT_HEALTH'], 'No alert: nothing recorded holds NaN'],
    [0, 'loading', ['FULL_HEALTH'], 'No alert yet: the run is still being read.'],
  ])('says why there are none (%s, %s, %s)', async (alerts, status, modes, text) => {
    run.set({ name: 'mlp', alerts, status, modes });
    await pass();
    expect(words()).toContain(text);
  });

  it.each([
    ['events_not_written', 'No alert: no event reached the disk.'],
    ['nothing_recorded', 'No alert: the program recorded nothing.'],
    ['executions_dropped', 'No alert in what is left: a part of the events was dropped.'],
    ['bad_payload', 'No alert in what is left: a part of what was recorded is lost.'],
    [
      'unobserved_calls',
      'No alert in what was observed: nothing tells whether the rest is healthy.',
    ],
  ])('says why there are none (%s) and what to do', async (kind, text) => {
    run.set({ name: 'mlp', alerts: 0, status: 'damaged', modes: ['FULL_HEALTH'] });
    kinds.set([kind]);
    await pass();
    expect(words()).toContain(`${text} What to do`);
    page.querySelector<HTMLElement>('.message button')?.click();
    expect(TestBed.inject(ProblemPanel).asked()?.kind).toBe(kind);
  });

  it('says what failed, and recovers', async () => {
    failing = true;
    selection.selectRun('other');
    run.update((former) => ({ ...former, name: 'other' }));
    await pass();
    expect(words()).toContain('Could not load this. disk on fire');
    failing = false;
    page.querySelector<HTMLElement>('.message button')?.click();
    await pass();
    await pass();
    expect(rows()[1]?.getAttribute('aria-label')).toContain('graph execution 101');
  });
});
