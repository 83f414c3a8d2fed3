import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error';
import { ApiClient, type Schema } from '../api/client';
import { traceIndex } from '../api/indices';
import { Host } from '../host/host';
import { AlertRoles } from '../state/alert-roles';
import { FocusedEvent } from '../state/focused-event';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import { NO_TRACE_FILTER } from '../state/view';
import { GraphExecutions } from './graph-executions';

/** Calls of three traces each, under a heading each; trace 2, 5, 8, … is of op Log and bad. */
class RecordedRun {
  readonly asked: string[] = [];
  readonly size = signal({ traces: 30, bytes: 1 });
  readonly kinds = signal<string[]>([]);
  failing = false;
  loops = true;

  trace(index: number): Schema<'GraphExecution'> {
    const bad = index % 3 === 2;
    return {
      index,
      op_name: `op_${index}`,
      op_type: bad ? 'Log' : 'Mul',
      output_slot: 0,
      graph_id: 'g',
      graph_name: 'loss_fn',
      execution_index: Math.floor(index / 3),
      alert_index: bad ? index : null,
      device_name: 'CPU:0',
      health: {
        dtype: 'float32',
        rank: 1,
        shape: null,
        size: 8,
        num_nan: bad ? 8 : 0,
        num_neg_inf: 0,
        num_pos_inf: 0,
        num_negative: 0,
        num_zero: 0,
        num_positive: bad ? 0 : 8,
        has_inf_nan: bad,
      },
    } as unknown as Schema<'GraphExecution'>;
  }

  /** Headings and traces under a filter. */
  rows(text?: string): Schema<'GraphExecutionRow'>[] {
    const rows: Schema<'GraphExecutionRow'>[] = [];
    let call = -1;
    for (let index = 0; index < this.size().traces; index++) {
      const trace = this.trace(index);
      if (text && !`${trace.op_name}:0 ${trace.op_type}`.toLowerCase().includes(text)) continue;
      const of = Number(trace.execution_index);
      if (of !== call) {
        call = of;
        const heading = {
          graph_id: 'g',
          graph_name: 'loss_fn',
          execution_index: call,
          execution_op_type: '__forward_loss_fn_305',
          execution_function_name: 'loss_fn',
        };
        rows.push({ call: heading, graph_execution: null, passes: null });
      }
      rows.push({ call: null, graph_execution: trace, passes: null });
    }
    return rows;
  }

  /** Headings, and the first trace of each call with the two that follow folded into it. */
  collapsedRows(): Schema<'GraphExecutionRow'>[] {
    return this.rows().flatMap((row) => {
      const first = row.graph_execution?.index ?? 0;
      if (row.call) return [row];
      if (first % 3) return [];
      const passes = {
        num_passes: 3,
        num_bad: 1,
        first_bad_index: first + 2,
        last_index: first + 2,
      };
      return [{ ...row, passes }];
    });
  }

  readonly get = (path: string, _: unknown, query: Record<string, string | number>) => {
    this.asked.push(`${path} ${query['begin'] ?? query['index']}-${query['end'] ?? ''}`);
    if (this.failing) return Promise.reject(new Error('disk on fire'));
    if (query['regex'] && query['text'] === '(') {
      return Promise.reject(new ApiError('invalid_argument', 'The pattern lacks a ")".', 400));
    }
    const text = query['text'] as string | undefined;
    const rows = query['collapse'] && this.loops ? this.collapsedRows() : this.rows(text);
    switch (path) {
      case '/graph_execution/rows':
        return Promise.resolve({
          num_rows: rows.length,
          num_graph_executions: rows.filter((row) => row.graph_execution).length,
          rows: rows.slice(Number(query['begin']), Number(query['end'])),
        });
      case '/graph_execution/position': {
        const listed = query['collapse']
          ? Number(query['index']) - (Number(query['index']) % 3)
          : query['index'];
        const row = rows.findIndex((one) => one.graph_execution?.index === listed);
        return Promise.resolve({
          row: row < 0 ? null : row,
          nearest_row: 0,
          num_rows: rows.length,
        });
      }
      case '/graph_execution/inputs':
        return Promise.resolve({
          index: query['index'],
          inputs: [
            {
              input_slot: 0,
              op_name: 'x',
              op_type: 'Mul',
              output_slot: 0,
              argument_index: null,
              producer: {
                graph_id: 'g',
                graph_name: 'loss_fn',
                op_name: 'op_0',
                output_slot: 0,
                graph_execution_trace_index: 0,
                execution_index: null,
                reason: null,
              },
            },
          ],
        });
      case '/gaps': {
        const gap = { index: 6, cause: 'dropped', is_certain: true };
        return Promise.resolve({ executions: [], graph_executions: [gap] });
      }
      case '/graph_execution/facets':
        return Promise.resolve({
          dtypes: [{ name: 'float32', num_events: 30 }],
          devices: [{ name: '/job:localhost/device:CPU:0', num_events: 30 }],
          graphs: [{ graph_id: 'g', graph_name: '__inference_loss_fn_1', num_events: 30 }],
        });
      default:
        throw new Error(path);
    }
  };
}

describe('Graph Executions', () => {
  let followed: () => readonly unknown[];
  let run: RecordedRun;
  let selection: SelectionStore;
  let fixture: ComponentFixture<GraphExecutions>;
  let page: HTMLElement;

  const pass = async (milliseconds = 50) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    fixture.detectChanges();
    await vi.advanceTimersByTimeAsync(20);
    fixture.detectChanges();
  };
  const text = (selector: string) =>
    [...page.querySelectorAll(selector)].map((one) => one.textContent.replace(/\s+/g, ' ').trim());
  /** The texts of each row, cells apart. */
  const cells = (selector: string) =>
    [...page.querySelectorAll(selector)].map((row) =>
      [...row.querySelectorAll('[role=gridcell]')]
        .map((cell) => {
          const parts = [...cell.childNodes].filter((node) => node.nodeType !== Node.COMMENT_NODE);
          return parts.map((node) => node.textContent?.trim()).join(' ');
        })
        .join(' | ')
        .replace(/\s+/g, ' ')
        .replace(/ \| +/g, ' | ')
        .trim(),
    );
  const grid = () => page.querySelector<HTMLElement>('[role=grid]');
  const press = async (key: string) => {
    grid()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
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
    // The list is 300 px high: ten rows.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
    run = new RecordedRun();
    const entries = signal<ReadonlyMap<string, string>>(new Map());
    const write = (changes: Record<string, string | null>) =>
      entries.set(
        new Map(Object.entries(changes).filter((one) => one[1] !== null) as [string, string][]),
      );
    selection = new SelectionStore({ entries, push: write, replace: write });
    selection.adoptRun('mlp');
    const summary = () => ({
      name: 'mlp',
      status: 'complete',
      num_executions: 10,
      num_graphs: 1,
      num_graph_executions: run.size().traces,
      start_time: 1000,
      bytes_indexed: run.size().bytes,
      debug_modes: ['FULL_HEALTH'],
      problem_kinds: run.kinds(),
    });
    const nothing = { answer: () => null, pending: () => false };
    const roles = {
      follow: (shown: () => readonly unknown[]) => (followed = shown),
      of: () => null,
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: AlertRoles, useValue: roles },
        { provide: ApiClient, useValue: { get: run.get } },
        { provide: Host, useValue: { visible: () => true } },
        { provide: Runs, useValue: { selected: summary, replacements: () => 0 } },
        { provide: Selection, useValue: selection },
        {
          provide: FocusedEvent,
          useValue: { trace: nothing, execution: nothing, executionIndex: () => null },
        },
      ],
    });
    fixture = TestBed.createComponent(GraphExecutions);
    page = fixture.nativeElement as HTMLElement;
    document.body.append(page);
    fixture.detectChanges();
    await pass();
  });

  afterEach(() => {
    fixture.destroy();
    page.remove();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('lists traces under their calls, and asks once for what it shows', () => {
    expect(text('h2 + .note')).toEqual(['30']);
    expect(text('tbd-call-heading')[0]).toBe('loss_fn — call 0');
    expect(cells('tbd-trace-row')[2]).toBe('2 | op_2:0 Log | float32 | 1D 8 | NaN ×8');
    // The length of the list, what it is without and with loops collapsed, and the rows in view.
    const length = '/graph_execution/rows 0-0';
    expect([...run.asked].sort()).toEqual([length, length, length, '/graph_execution/rows 0-40']);
  });

  it('draws a line where traces are missing, above the heading that follows', async () => {
    run.kinds.set(['graph_executions_dropped']);
    await pass();
    const lines = [...page.querySelectorAll('tbd-gap-line')];
    expect(lines.map((line) => line.getAttribute('aria-label'))).toEqual([
      'Graph executions are missing before this one: a circular buffer kept only the 24 that follow.',
    ]);
    expect(lines[0]?.closest('tbd-call-heading')?.textContent).toContain('call 2');
    // A filter that leaves 5 and 8 leaves the gap between them.
    selection.filterTraces({ text: 'log' });
    await pass(500);
    const below = page.querySelector('tbd-gap-line')?.closest('[role=row]');
    expect(below?.textContent).toContain('call 2');
  });

  it('asks where the bad values in view came from', () => {
    expect(followed()).toEqual(
      expect.arrayContaining([
        { kind: 'trace', index: 2 },
        { kind: 'trace', index: 5 },
      ]),
    );
    expect(followed()).not.toContainEqual({ kind: 'trace', index: 3 });
  });

  it('selects a row with its alert, and shows its inputs', async () => {
    page.querySelectorAll<HTMLElement>('tbd-trace-row')[2]?.click();
    await pass();
    expect(selection.event()).toEqual({ kind: 'trace', index: 2 });
    expect(selection.alert()).toBe(2);
    expect(text('.selected')[0]).toContain('op_2:0');
    expect(page.querySelector('.selected')?.getAttribute('aria-selected')).toBe('true');
    expect(cells('.input-of-selected')).toEqual(['0 | in 0 op_0:0 Mul | float32 | 1D 8 | + ×8']);
    expect(run.asked).not.toContain('/graph_execution/position 2-');
  });

  it('moves through rows by keys, over headings', async () => {
    await press('ArrowDown');
    expect(selection.event()).toEqual({ kind: 'trace', index: 0 });
    for (let i = 0; i < 3; i++) await press('ArrowDown');
    expect(selection.event()).toEqual({ kind: 'trace', index: 3 });
    await press('ArrowUp');
    expect(selection.event()).toEqual({ kind: 'trace', index: 2 });
    await press('End');
    expect(selection.event()).toEqual({ kind: 'trace', index: 29 });
    expect(grid()?.getAttribute('aria-activedescendant')).toBe('trace-row-39');
    expect(page.querySelector('#trace-row-39')?.getAttribute('aria-rowindex')).toBe('41');
    await press('Home');
    expect(selection.event()).toEqual({ kind: 'trace', index: 0 });
  });

  it('moves on from the selected row though it is not yet known where another filter puts it', async () => {
    selection.filterTraces({ text: 'log' });
    await pass();
    selection.select({ kind: 'trace', index: traceIndex(14) });
    await pass();
    selection.filterTraces({ text: '' });
    await press('ArrowDown');
    await pass();
    expect(selection.event()).toEqual({ kind: 'trace', index: 15 });
  });

  it('brings a row into view that was selected elsewhere', async () => {
    selection.select({ kind: 'trace', index: traceIndex(25) });
    await pass();
    await pass();
    expect(text('.selected')[0]).toContain('op_25:0');
    expect(page.querySelector('tbd-virtual-rows')?.scrollTop).toBe(10 * 30 * 3);
  });

  it('filters as one types, and counts', async () => {
    const field = page.querySelector<HTMLInputElement>('tbd-filter-field input');
    if (!field) throw new Error('no field');
    field.value = 'log';
    field.dispatchEvent(new Event('input'));
    await pass(100);
    expect(selection.traceFilter().text).toBe('');
    await pass(100);
    expect(selection.traceFilter().text).toBe('log');
    expect(text('h2 + .note')).toEqual(['10 of 30']);
    expect(text('tbd-trace-row')[1]).toContain('op_5:0');
  });

  it('says what the filter hides, and shows it', async () => {
    selection.select({ kind: 'trace', index: traceIndex(3) });
    selection.filterTraces({ text: 'log' });
    await pass();
    expect(text('.notes p')[0]).toContain('#3 is selected, but hidden by the filter.');
    page.querySelector<HTMLElement>('.notes .link-button')?.click();
    await pass();
    await pass();
    expect(selection.traceFilter().text).toBe('');
    expect(text('.selected')[0]).toContain('op_3:0');
  });

  it('says what is wrong with a pattern, keeps the list meanwhile, and does not ask again', async () => {
    selection.filterTraces({ text: '(', regex: true });
    await pass();
    const asked = run.asked.length;
    expect(text('.notes .warn')).toEqual(['The pattern lacks a ")".']);
    expect(text('tbd-trace-row')).not.toHaveLength(0);
    await pass(60_000);
    expect(run.asked.length).toBe(asked);
    page.querySelector<HTMLElement>('[aria-label="Regular expression"]')?.click();
    await pass();
    expect(selection.traceFilter().regex).toBe(false);
    expect(text('.notes .warn')).toEqual([]);
  });

  it('shows what is filtered by as chips that can be taken away', async () => {
    selection.filterTraces({ dtype: 'float32', graphId: 'g', beginTime: 1000.5 });
    await pass();
    expect(text('tbd-filter-chips .text')).toEqual(['float32', 'graph loss_fn', 'from 0.5 s']);
    page.querySelector<HTMLElement>('[aria-label="Remove filter graph loss_fn"]')?.click();
    await pass();
    expect(selection.traceFilter()).toMatchObject({ dtype: 'float32', graphId: null });
    page.querySelector<HTMLElement>('tbd-filter-chips .clear')?.click();
    await pass();
    expect(selection.traceFilter()).toEqual(NO_TRACE_FILTER);
    expect(page.querySelector('tbd-filter-chips')).toBeNull();
  });

  it('asks what there is to filter by when the menu is opened, once', async () => {
    const menu = () =>
      page.querySelector<HTMLElement>('[aria-label="More filters of graph executions"]');
    menu()?.click();
    await pass();
    expect(text('tbd-filter-fields option')).toEqual([
      'any',
      'float32 · 30',
      'any',
      'CPU:0 · 30',
      'any',
      'loss_fn · 30',
    ]);
    menu()?.click();
    await pass();
    menu()?.click();
    await pass();
    expect(run.asked.filter((one) => one.includes('facets'))).toHaveLength(1);
  });

  it('lists the passes of a loop once, and all of them on demand', async () => {
    page.querySelector<HTMLElement>('.collapse')?.click();
    await pass();
    expect(selection.collapsesLoops()).toBe(true);
    expect(text('tbd-trace-row')[0]).toContain('×3 1 bad →');
    page.querySelector<HTMLElement>('.passes.bad')?.click();
    await pass();
    expect(selection.event()).toEqual({ kind: 'trace', index: 2 });
    expect(selection.traceFilter()).toMatchObject({ graphId: 'g', opName: 'op_0', call: 0 });
    expect(document.activeElement).toBe(grid());
    await press('ArrowLeft');
    expect(selection.traceFilter()).toEqual(NO_TRACE_FILTER);
    expect(text('.selected')[0]).toContain('op_0:0');
    expect(text('.notes p')[0]).toContain('#2 is one of 3 passes in the selected row.');
    await press('Enter');
    expect(selection.event()).toEqual({ kind: 'trace', index: 0 });
    expect(selection.traceFilter().opName).toBe('op_0');
  });

  it('offers to collapse loops only where there are some', async () => {
    expect(page.querySelector('.collapse')).not.toBeNull();
    run.loops = false;
    selection.selectRun('other');
    await pass();
    await pass();
    expect(page.querySelector('.collapse')).toBeNull();
  });

  it('says that nothing matches', async () => {
    selection.filterTraces({ text: 'zzz' });
    await pass();
    expect(text('.nothing')).toEqual(['Nothing matches the filter. Clear the filter']);
  });

  it('goes to a number, and says where there is none', async () => {
    const field = page.querySelector<HTMLInputElement>('.go');
    if (!field) throw new Error('no field');
    const enter = async (number: string) => {
      field.value = number;
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      await pass();
    };
    await enter('30');
    expect(text('.notes p')).toEqual(['There is no #30: the last one is #29.']);
    await enter('#0');
    expect(selection.event()).toEqual({ kind: 'trace', index: 0 });
    expect(text('.notes p')).toEqual([]);
  });

  it('takes in what a growing run adds', async () => {
    run.size.set({ traces: 33, bytes: 2 });
    await pass();
    await pass();
    expect(text('h2 + .note')).toEqual(['33']);
    await press('End');
    expect(selection.event()).toEqual({ kind: 'trace', index: 32 });
  });

  it('says that rows could not be loaded, keeps the former ones, and recovers', async () => {
    run.failing = true;
    selection.filterTraces({ text: 'log' });
    await pass();
    expect(text('.notes p')[0]).toContain('disk on fire');
    run.failing = false;
    await pass(1500);
    await pass();
    expect(text('.notes p')).toEqual([]);
    expect(text('tbd-trace-row')[1]).toContain('op_5:0');
  });
});
