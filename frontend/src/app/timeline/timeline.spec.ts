import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error';
import { ApiClient } from '../api/client';
import { executionIndex, traceIndex } from '../api/indices';
import { Host } from '../host/host';
import { FocusedEvent } from '../state/focused-event';
import { Mutes } from '../state/mutes';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import { NO_EVENT_FILTER } from '../state/view';
import { Timeline } from './timeline';

/** Reports a width of 244 px, in which ten boxes fit. */
class FixedSize {
  readonly #report: () => void;
  constructor(report: () => void) {
    this.#report = report;
  }
  observe(): void {
    this.#report();
  }
  disconnect(): void {
    // Nothing to give back.
  }
}

describe('Python Execution Timeline', () => {
  const asked: string[] = [];
  const run = signal({ executions: 100, status: 'complete' });
  const called = signal<number | null>(null);
  const kinds = signal<string[]>([]);
  let selection: SelectionStore;
  let fixture: ComponentFixture<Timeline>;
  let page: HTMLElement;

  const digest = (index: number) => ({
    index,
    wall_time: 1000 + index,
    op_type: index % 10 ? 'MatMul' : '__forward_train_7',
    function_name: index % 10 ? null : 'train',
    function_kind: index % 10 ? null : 'forward',
    num_alerts: index === 35 ? 1 : 0,
    misses_frames: index === 4,
    host_name: 'vm',
  });
  const detail = (index: number) => ({
    execution: digest(index),
    mode: 'FULL_HEALTH',
    time_since_start: 0.679,
    inputs: [
      { tensor_id: 1, execution_index: 3, output_slot: 0, op_type: 'Add', function_name: null },
    ],
    outputs: [],
    num_results: null,
    num_graph_executions: 4,
    first_graph_execution_index: 0,
  });
  /** The filter `text` leaves functions only: 0, 10, 20, …; "(" is no pattern. */
  const get = (path: string, _: unknown, query: Record<string, number | string>) => {
    asked.push(path);
    if (path === '/gaps') {
      const gap = { index: 6, cause: 'dropped', is_certain: false };
      return Promise.resolve({ executions: [gap], graph_executions: [] });
    }
    const [begin = 0, end = 0, index = 0] = ['begin', 'end', 'index'].map((name) =>
      Number(query[name] ?? 0),
    );
    if (query['text'] === '(') {
      return Promise.reject(new ApiError('invalid_argument', 'The pattern lacks a ")".', 400));
    }
    if (path === '/execution/position') {
      const row = index % 10 ? null : index / 10;
      return Promise.resolve({ row, nearest_row: Math.ceil(index / 10), num_rows: 10 });
    }
    if (query['text']) {
      const functions = Array.from({ length: 10 }, (_, row) => digest(row * 10));
      return Promise.resolve({
        num_digests: 10,
        execution_digests: functions.slice(begin, end),
      });
    }
    if (path === '/execution/overview') {
      return Promise.resolve({ num_executions: 0, begins: [], num_functions: [], num_alerts: [] });
    }
    return Promise.resolve({
      execution_digests: Array.from({ length: end - begin }, (_, offset) => digest(begin + offset)),
    });
  };

  const pass = async () => {
    for (let turn = 0; turn < 3; turn++) {
      fixture.detectChanges();
      await vi.advanceTimersByTimeAsync(50);
    }
    fixture.detectChanges();
  };
  const boxes = () => [...page.querySelectorAll<HTMLElement>('[role=option]')];
  const letters = () =>
    boxes()
      .map((box) => box.textContent.trim())
      .join('');
  const note = () => page.querySelector('.note')?.textContent;
  const words = () => page.textContent.replace(/\s+/g, ' ');
  const box = (index: number) => boxes().find((one) => one.title.startsWith(`#${index} `));
  const keyIn = async (selector: string, key: string) => {
    page
      .querySelector(selector)
      ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await pass();
  };

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal('ResizeObserver', FixedSize);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(244);
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    asked.length = 0;
    run.set({ executions: 100, status: 'complete' });
    called.set(null);
    kinds.set([]);
    const entries = signal<ReadonlyMap<string, string>>(new Map());
    const write = (changes: Record<string, string | null>) =>
      entries.set(
        new Map(Object.entries(changes).filter((one) => one[1] !== null) as [string, string][]),
      );
    selection = new SelectionStore({ entries, push: write, replace: write });
    selection.adoptRun('mlp');
    const summary = () => ({
      name: 'mlp',
      status: run().status,
      num_executions: run().executions,
      bytes_indexed: run().executions,
      num_graphs: 0,
      num_graph_executions: 0,
      problem_kinds: kinds(),
    });
    const index = () => {
      const event = selection.event();
      return event?.kind === 'execution' ? event.index : called();
    };
    const execution = {
      answer: () => {
        const at = index();
        return at === null ? null : detail(at);
      },
      failure: () => null,
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: Mutes, useValue: { rules: () => [] } },
        { provide: ApiClient, useValue: { get } },
        { provide: Host, useValue: { visible: () => true, dark: () => false } },
        { provide: Runs, useValue: { selected: summary, replacements: () => 0 } },
        { provide: Selection, useValue: selection },
        {
          provide: FocusedEvent,
          useValue: { executionIndex: index, execution, trace: { answer: () => null } },
        },
      ],
    });
    fixture = TestBed.createComponent(Timeline);
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

  it('shows as many boxes as fit, each with its letter', () => {
    expect(letters()).toBe('TMMMMMMMMM');
    expect(note()).toBe('100 · 0–9 shown');
    expect(boxes()[0]?.getAttribute('aria-label')).toBe('execution 0, train, forward function');
    expect(boxes()[0]?.classList.contains('function')).toBe(true);
    expect(words()).toContain('Select a box');
  });

  it('has no box beyond the last execution', async () => {
    run.set({ executions: 1, status: 'complete' });
    await pass();
    expect(letters()).toBe('T');
    expect(note()).toBe('1 · 0 shown');
  });

  it('moves by the slider’s keys and says so', async () => {
    const slider = () => page.querySelector('[role=slider]')?.getAttribute('aria-valuetext');
    expect(slider()).toBe('executions 0 to 9 of 100');
    await keyIn('[role=slider]', 'PageDown');
    expect(slider()).toBe('executions 10 to 19 of 100');
    await keyIn('[role=slider]', 'ArrowLeft');
    expect(note()).toBe('100 · 9–18 shown');
    await keyIn('[role=slider]', 'End');
    expect(note()).toBe('100 · 90–99 shown');
    await keyIn('[role=slider]', 'ArrowRight');
    expect(note()).toBe('100 · 90–99 shown');
    await keyIn('[role=slider]', 'Home');
    expect(note()).toBe('100 · 0–9 shown');
  });

  it('moves by the wheel over the boxes, either way', async () => {
    const turn = async (move: WheelEventInit) => {
      const event = new WheelEvent('wheel', { ...move, bubbles: true, cancelable: true });
      page.querySelector('[role=listbox]')?.dispatchEvent(event);
      await pass();
      return event.defaultPrevented;
    };
    expect(await turn({ deltaY: 240 })).toBe(true);
    expect(note()).toBe('100 · 10–19 shown');
    await turn({ deltaX: -120 });
    expect(note()).toBe('100 · 5–14 shown');
    expect(await turn({ deltaY: 240, ctrlKey: true })).toBe(false);
  });

  it('selects the box that is clicked, and goes on by the arrows', async () => {
    box(5)?.click();
    await pass();
    expect(selection.event()).toEqual({ kind: 'execution', index: 5 });
    expect(box(5)?.getAttribute('aria-selected')).toBe('true');
    await keyIn('[role=option]', 'ArrowRight');
    expect(selection.event()).toEqual({ kind: 'execution', index: 6 });
    expect(document.activeElement).toBe(box(6));
    await keyIn('[role=option]', 'End');
    expect(selection.event()).toEqual({ kind: 'execution', index: 99 });
    expect(note()).toBe('100 · 90–99 shown');
    expect(document.activeElement).toBe(box(99));
    expect(boxes().filter((one) => one.tabIndex === 0)).toEqual([box(99)]);
  });

  it('follows the selection, a third in, and then leaves the window to the user', async () => {
    selection.select({ kind: 'execution', index: executionIndex(35) });
    await pass();
    expect(note()).toBe('100 · 32–41 shown');
    expect(box(35)?.classList.contains('bad')).toBe(true);
    await keyIn('[role=slider]', 'Home');
    run.set({ executions: 120, status: 'live' });
    await pass();
    expect(note()).toBe('120 · 0–9 shown');
  });

  it('marks the call of a selected tensor in another way', async () => {
    selection.select({ kind: 'trace', index: traceIndex(71) });
    called.set(52);
    await pass();
    expect(box(52)?.getAttribute('aria-label')).toBe(
      'execution 52, MatMul, call of the selected tensor',
    );
    expect(box(52)?.getAttribute('aria-selected')).toBe('false');
    expect(box(52)?.classList.contains('call')).toBe(true);
    expect(words()).toContain('call of the selected tensor');
  });

  it('shows the execution in view, with links to who made its inputs and to its traces', async () => {
    selection.select({ kind: 'execution', index: executionIndex(10) });
    await pass();
    expect(words()).toContain('10 train (forward, for gradients)');
    expect(words()).toContain('+0.679 s');
    const link = (text: string) =>
      [...page.querySelectorAll<HTMLElement>('.link-button')].find((one) =>
        one.textContent.includes(text),
      );
    link('#3 Add → 0')?.click();
    expect(selection.event()).toEqual({ kind: 'execution', index: 3 });
    link('4 graph executions')?.click();
    expect(selection.event()).toEqual({ kind: 'trace', index: 0 });
  });

  it('says what does not exist and what is not read yet', async () => {
    selection.select({ kind: 'execution', index: executionIndex(500) });
    await pass();
    expect(words()).toContain('There is no execution 500: this run has 100 executions.');
    run.set({ executions: 100, status: 'loading' });
    await pass();
    expect(words()).toContain('Execution 500 has not been read yet.');
    run.set({ executions: 0, status: 'complete' });
    await pass();
    expect(words()).toContain('No execution was recorded: the program ended before its first op.');
  });

  it('marks the box before which executions are missing, and boxes whose stack is not whole', async () => {
    kinds.set(['executions_dropped']);
    await pass();
    const marked = (mark: string) => boxes().filter((one) => one.classList.contains(mark));
    expect(marked('gap').map((one) => one.title)).toEqual([
      '#6 MatMul\nExecutions are probably missing before this one: a circular buffer kept only the 94 that follow.',
    ]);
    expect(marked('cut').map((one) => one.ariaLabel)).toEqual([
      'execution 4, MatMul, part of its stack trace is not on disk',
    ]);
    // A filter that hides the sixth leaves the gap before the next one.
    selection.filterExecutions({ text: 'train' });
    await pass();
    expect(marked('gap').map((one) => one.title.split('\n')[0])).toEqual([
      '#10 train (forward, for gradients)',
    ]);
  });

  it('shows the boxes that pass a filter, and moves through these', async () => {
    selection.filterExecutions({ text: 'train' });
    await pass();
    expect(letters()).toBe('TTTTTTTTTT');
    expect(note()).toBe('10 of 100 · 0–90 shown');
    box(20)?.click();
    await pass();
    await keyIn('[role=option]', 'ArrowRight');
    expect(selection.event()).toEqual({ kind: 'execution', index: 30 });
    expect(document.activeElement).toBe(box(30));
    await keyIn('[role=option]', 'End');
    expect(selection.event()).toEqual({ kind: 'execution', index: 90 });
    expect(asked).not.toContain('/execution/position');
  });

  it('says what a filter hides, and shows it', async () => {
    selection.select({ kind: 'execution', index: executionIndex(35) });
    selection.filterExecutions({ text: 'train' });
    await pass();
    expect(words()).toContain('Execution 35 is hidden by the filter.');
    expect(words()).toContain('35 MatMul');
    page.querySelector<HTMLElement>('.notes .link-button')?.click();
    await pass();
    expect(selection.executionFilter()).toEqual(NO_EVENT_FILTER);
    expect(box(35)?.getAttribute('aria-selected')).toBe('true');
  });

  it('says what is wrong with a pattern, and keeps the boxes', async () => {
    selection.filterExecutions({ text: '(', regex: true });
    await pass();
    expect(words()).toContain('The pattern lacks a ")".');
    selection.filterExecutions({ text: '' });
    await pass();
    expect(letters()).toBe('TMMMMMMMMM');
    expect(words()).not.toContain('The pattern');
  });

  it('goes to a number, and says where there is none', async () => {
    const enter = async (number: string) => {
      const field = page.querySelector<HTMLInputElement>('.go');
      if (!field) throw new Error('no field');
      field.value = number;
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      await pass();
    };
    await enter('100');
    expect(words()).toContain('There is no execution 100: the last one is 99.');
    await enter('99');
    expect(selection.event()).toEqual({ kind: 'execution', index: 99 });
    expect(note()).toBe('100 · 90–99 shown');
    expect(words()).not.toContain('There is no execution');
  });

  it('keeps its boxes when the next run has as many', async () => {
    asked.length = 0;
    selection.selectRun('other');
    await pass();
    expect(letters()).toBe('TMMMMMMMMM');
    expect(asked.sort()).toEqual(['/execution/digests', '/execution/overview']);
  });
});
