import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { alertIndex, executionIndex, traceIndex } from '../api/indices';
import { Host } from '../host/host';
import { FocusedEvent } from '../state/focused-event';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import { Keyboard } from '../ui/keyboard';
import { Pane } from '../ui/pane';
import { ProblemPanel } from '../ui/problem-panel';
import { Alerts } from './alerts';
import type { Patterns } from './pattern-words';
import { deadRelu, patternsOf } from './pattern-samples';

interface Query {
  readonly begin?: number;
  readonly end?: number;
  readonly alert_index?: number;
  readonly graph_execution_trace_index?: number;
  readonly mute?: readonly string[];
}

describe('Alerts', () => {
  const asked: string[] = [];
  const run = signal({ name: 'mlp', alerts: 30, status: 'complete', modes: ['FULL_HEALTH'] });
  const kinds = signal<string[]>([]);
  const trace = signal<object | null>(null);
  let failing = false;
  let patterns: Patterns;
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
  /** The event of an alert that is none of an execution, as others refer to it. */
  const link = (index: number) => ({
    alert_index: index,
    execution_index: null,
    graph_execution_trace_index: 100 + index,
    op_name: `op_${index}`,
    output_slot: 0,
  });
  /** The alerts that a rule "op:op_3" does not take. */
  const left = (mute: readonly string[] = []) =>
    Array.from({ length: run().alerts }, (_, index) => index).filter(
      (index) => !mute.includes(`op:op_${index}`),
    );
  const get = (path: string, _: unknown, query: Query) => {
    if (path === '/logdir') return Promise.resolve({ logdir: '/logs' });
    if (path === '/root_causes') return Promise.resolve(null);
    if (path === '/alerts/roles') {
      return Promise.resolve({ roles: [{ ...link(4), role: 'propagated', parent: link(2) }] });
    }
    if (path === '/alerts/patterns') return Promise.resolve(patterns);
    const numbers = left(query.mute);
    if (path === '/alerts/around') {
      const number = query.alert_index ?? Number(query.graph_execution_trace_index) - 100;
      const place = numbers.filter((one) => one < number).length;
      const at = query.alert_index !== undefined && numbers.includes(number) ? place : null;
      const next = at === null ? place : place + 1;
      return Promise.resolve({ previous: place - 1, at, next, num_alerts: numbers.length });
    }
    const { begin = 0, end = 0 } = query;
    asked.push(`${begin}-${end}`);
    if (failing) return Promise.reject(new Error('disk on fire'));
    if (query.mute?.includes('regex:(')) {
      const reason =
        "parameter 'mute': 'regex:(' cannot be used as a regular expression: missing )";
      return Promise.reject(new Error(reason));
    }
    return Promise.resolve({
      num_alerts: numbers.length,
      num_muted: run().alerts - numbers.length,
      num_muted_by: (query.mute ?? []).map(() => 1),
      op_types: [{ op_type: 'Log', num_alerts: numbers.length }],
      alerts_breakdown: numbers.length ? { InfNanAlert: numbers.length } : {},
      alerts: numbers.slice(begin, end).map(alert),
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
    localStorage.clear();
    asked.length = 0;
    failing = false;
    patterns = { kinds: [], alerts: [] };
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

  /** A button by its name, or by what it says. */
  const button = (name: string) =>
    [...page.querySelectorAll('button')].find(
      (one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === name,
    );
  const click = async (name: string) => {
    button(name)?.click();
    await pass();
  };

  it('offers what can be muted of the selected alert, and leaves it out', async () => {
    rows()[1]?.click();
    await pass();
    expect(words()).toContain('2 of 30');
    await press('m');
    expect(page.querySelector('[role=menu]')?.textContent).toContain('functionloss_fn');
    await click('Mute op op_1');
    expect(page.querySelector('[role=menu]')).toBeNull();
    expect(page.querySelector('.note')?.textContent).toBe('29 of 30');
    expect(rows()[1]?.getAttribute('aria-label')).toContain('op_2:0');
    expect(words()).toContain('Muted (1 alert, 1 rule)');
    expect(selection.mutes()).toBe('op:op_1');
    expect(page.querySelector('.place[role=status]')?.textContent).toBe('muted');
    await click('Undo');
    expect(page.querySelector('.note')?.textContent).toBe('30');
    expect(page.querySelector('.place[role=status]')?.textContent).toBe('2 of 30');
  });

  it('goes from alert to alert past muted ones, and says its place among those left', async () => {
    selection.showMutes('op:op_2\nop:op_5');
    await pass();
    rows()[1]?.click();
    await pass();
    await press('n');
    expect(selection.alert()).toBe(3);
    expect(page.querySelector('.place[role=status]')?.textContent).toBe('3 of 28');
    expect(selectedRow()).toContain('execution 3');
    await press('p');
    expect(selection.alert()).toBe(1);
  });

  it('finds the place of an alert that was selected elsewhere', async () => {
    selection.showMutes('op:op_2');
    await pass();
    selection.select({ kind: 'trace', index: traceIndex(125) }, { alert: alertIndex(25) });
    await pass();
    expect(page.querySelector('.place[role=status]')?.textContent).toBe('25 of 29');
  });

  it('goes back to where the selected bad values came from', async () => {
    rows()[4]?.click();
    await pass();
    expect(selectedRow()).toContain('Propagated from op_2:0, #102');
    await press('b');
    expect(selection.event()).toEqual({ kind: 'trace', index: 102 });
    expect(selection.alert()).toBe(2);
  });

  it('mutes an op type from the row of the kind', async () => {
    await click('Mute some of NaN/∞');
    await click('Mute op type Log');
    expect(selection.mutes()).toBe('op_type:Log');
  });

  it('says above the list what its marks mean, and muted where there is such', async () => {
    const legend = () => page.querySelector('.legend')?.textContent;
    expect(legend()).toBe('causeoriginpropagated');
    expect(page.querySelector('.legend + [role=listbox]')).not.toBeNull();
    selection.showMutes('op:op_1');
    await pass();
    expect(legend()).toBe('causeoriginpropagatedmuted');
  });

  it('lists what is muted, with a button for each and for all, and takes more by text', async () => {
    selection.showMutes('op:op_1\nop:op_2');
    await pass();
    const revealed = vi.spyOn(Pane.prototype, 'reveal');
    await click('Muted (2 alerts, 2 rules)');
    expect(revealed.mock.lastCall?.[0].tagName).toBe('TBD-MUTED-LIST');
    expect(words()).toContain('These rules come from the link. You have none of your own.');
    await click('Restore op op_1');
    expect(selection.mutes()).toBe('op:op_2');
    const field = page.querySelector<HTMLInputElement>('tbd-muted-list input');
    if (field) field.value = '/^op_4$/';
    await click('Mute');
    expect(selection.mutes()).toBe('op:op_2\nregex:^op_4$');
    await click('Keep these');
    expect(words()).not.toContain('come from the link');
    await click('Restore all');
    expect(words()).toContain('Muted: nothing');
  });

  it('says in view why an expression is refused, and mutes nothing', async () => {
    await click('Muted: nothing');
    const revealed = vi.spyOn(Pane.prototype, 'reveal');
    const field = page.querySelector<HTMLInputElement>('tbd-muted-list input');
    if (field) field.value = '/(/';
    await click('Mute');
    const problem = page.querySelector('tbd-muted-list [role=alert]')?.textContent;
    expect(problem).toBe('This cannot be used as a regular expression: missing )');
    expect(revealed.mock.lastCall?.[0].tagName).toBe('TBD-MUTED-LIST');
    expect(selection.mutes()).toBeNull();
  });

  it('says that all are muted', async () => {
    run.update((one) => ({ ...one, alerts: 1 }));
    selection.showMutes('op:op_0');
    await pass();
    expect(words()).toContain('All alerts are muted.');
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

  it('brings the list into view with the alert that was stepped to or selected elsewhere', async () => {
    const revealed = vi.spyOn(Pane.prototype, 'reveal');
    await press('n');
    await press('n');
    expect(revealed).toHaveBeenCalledTimes(2);
    expect(revealed.mock.lastCall?.[0].tagName).toBe('TBD-ALERT-LIST');
    selection.select({ kind: 'trace', index: traceIndex(107) });
    trace.set({ index: 107, alert_index: 7 });
    await pass();
    expect(revealed).toHaveBeenCalledTimes(3);
    run.update((former) => ({ ...former, alerts: 31 }));
    await pass();
    expect(revealed).toHaveBeenCalledTimes(3);
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

  it('lists what is seen over many calls where no tensor has NaN or ∞', async () => {
    patterns = patternsOf(deadRelu());
    run.set({ ...run(), alerts: 0, status: 'live' });
    await pass();
    expect(words()).toContain('No NaN/∞ alert: nothing recorded so far holds NaN or ∞.');
    expect(words()).toMatch(/Patterns over many calls ?1/);
    expect(words()).not.toContain('n next');
    expect(words()).not.toContain('What to do');
    kinds.set(['executions_dropped']);
    await pass();
    expect(words()).toContain('No NaN/∞ alert in what is left');
    expect(words()).toContain('What to do');
  });
});
