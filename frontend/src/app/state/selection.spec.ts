import { signal } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { alertIndex, executionIndex, traceIndex } from '../api/indices';
import { SelectionStore, type ViewAddress } from './selection';
import { NO_EVENT_FILTER, NO_TRACE_FILTER, type SourcePosition } from './view';

/** An address with a history of steps, as a browser keeps it. */
class FakeAddress implements ViewAddress {
  readonly #steps: ReadonlyMap<string, string>[] = [new Map()];
  readonly entries = signal<ReadonlyMap<string, string>>(new Map());

  push(changes: Record<string, string | null>): void {
    this.#steps.push(new Map());
    this.replace(changes);
  }

  replace(changes: Record<string, string | null>): void {
    const merged = Object.entries({ ...Object.fromEntries(this.entries()), ...changes });
    const entries = new Map(merged.filter((entry) => entry[1] !== null) as [string, string][]);
    this.#steps[this.#steps.length - 1] = entries;
    this.entries.set(entries);
  }

  back(): void {
    this.#steps.pop();
    this.entries.set(this.#steps.at(-1) ?? new Map());
  }

  get steps(): number {
    return this.#steps.length;
  }
}

const line24: SourcePosition = { hostName: 'vm', filePath: '/mlp.py', lineno: 24 };
const trace = (index: number) => ({ kind: 'trace', index: traceIndex(index) }) as const;

describe('Selection', () => {
  let address: FakeAddress;
  let selection: SelectionStore;

  beforeEach(() => {
    vi.useFakeTimers();
    address = new FakeAddress();
    selection = new SelectionStore(address);
    selection.adoptRun('mlp_log0');
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('adopts a run without a step of the history', () => {
    expect(selection.run()).toBe('mlp_log0');
    expect(address.steps).toBe(1);
  });

  it('selects the event, its alert and its line in one step, and Back undoes it', () => {
    selection.select(trace(71), { alert: alertIndex(0), focus: line24 });
    expect(address.steps).toBe(2);
    expect(selection.event()).toEqual(trace(71));
    expect(selection.alert()).toBe(0);
    expect(selection.focus()).toEqual(line24);
    address.back();
    expect(selection.event()).toBeNull();
    expect(selection.run()).toBe('mlp_log0');
  });

  it('forgets the alert and the line with the next event', () => {
    selection.select(trace(71), { alert: alertIndex(0), focus: line24 });
    selection.select({ kind: 'execution', index: executionIndex(35) });
    expect(selection.alert()).toBeNull();
    expect(selection.focus()).toBeNull();
  });

  it('keeps the line while it sticks to a file', () => {
    selection.focusSource(line24, { stickToBottommost: true });
    selection.select(trace(72));
    expect(selection.focus()).toEqual(line24);
    expect(selection.stickToBottommost()).toBe(true);
  });

  it('awaits the line of an event that came without one, until it is known', () => {
    expect(selection.awaitsFocus()).toBe(false);
    selection.select(trace(71));
    expect(selection.awaitsFocus()).toBe(true);
    selection.resolveFocus(line24);
    expect(selection.awaitsFocus()).toBe(false);
    expect(address.steps).toBe(2);
  });

  it('awaits the line of an event that keeps the former one, also where it is the same line', () => {
    selection.select(trace(71), { focus: line24 });
    selection.focusSource(line24, { stickToBottommost: true });
    expect(selection.awaitsFocus()).toBe(false);
    selection.select(trace(72));
    expect(selection.awaitsFocus()).toBe(true);
    address.back();
    expect(selection.awaitsFocus()).toBe(false);
    selection.select(trace(72));
    selection.resolveFocus(line24);
    expect(selection.awaitsFocus()).toBe(false);
  });

  it('awaits nothing where the address or the one who selects gives the line', () => {
    selection.select(trace(71), { focus: line24 });
    expect(selection.awaitsFocus()).toBe(false);
    address.push({ at: 'trace:80', file: '/mlp.py', line: '3', stick: '1' });
    expect(selection.awaitsFocus()).toBe(false);
  });

  it('makes one step of the history of a rapid series', () => {
    for (let index = 0; index < 20; index++) {
      selection.select(trace(index), { step: true });
      vi.advanceTimersByTime(50);
    }
    expect(selection.event()).toEqual(trace(19));
    expect(address.steps).toBe(2);
    vi.advanceTimersByTime(5000);
    selection.select(trace(20), { step: true });
    expect(address.steps).toBe(3);
  });

  it('never lets a step overwrite a plain selection', () => {
    selection.select(trace(1), { step: true });
    selection.select(trace(5));
    selection.select(trace(6), { step: true });
    expect(address.steps).toBe(4);
  });

  it('selects nothing of the former run in another, and keeps what filters say of any run', () => {
    selection.filterTraces({ text: 'Log', graphId: 'g1', opName: 'Log', beginTime: 3 });
    selection.filterExecutions({ infNanOnly: true, device: 'CPU:0' });
    selection.collapseLoops(true);
    selection.select(trace(71), { focus: line24 });
    selection.selectRun('other');
    expect(selection.event()).toBeNull();
    expect(selection.focus()).toBeNull();
    expect(selection.traceFilter()).toEqual({ ...NO_TRACE_FILTER, text: 'Log' });
    expect(selection.executionFilter()).toEqual({ ...NO_EVENT_FILTER, infNanOnly: true });
    expect(selection.collapsesLoops()).toBe(true);
  });

  it('filters and selects in one step, and Back undoes both', () => {
    selection.filterTraces({ text: 'Log' });
    const steps = address.steps;
    selection.select(trace(71), { traceFilter: { call: executionIndex(3) } });
    expect(address.steps).toBe(steps + 1);
    expect(selection.traceFilter()).toMatchObject({ text: 'Log', call: 3 });
    address.back();
    expect(selection.traceFilter().call).toBeNull();
    expect(selection.event()).toBeNull();
  });

  it('does not tell panes of an event that stays the same', () => {
    selection.select(trace(71));
    const before = selection.event();
    selection.filterTraces({ infNanOnly: true });
    selection.resolveFocus(line24);
    expect(selection.event()).toBe(before);
  });
});
