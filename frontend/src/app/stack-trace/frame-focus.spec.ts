import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '../api/client';
import { traceIndex } from '../api/indices';
import { SelectionStore, type ViewAddress } from '../state/selection';
import type { SourcePosition } from '../state/view';
import { FrameFocus, focusOfNewEvent, isLastOfItsFile } from './frame-focus';
import { stack } from './stack-builder';

const at = (filePath: string, lineno: number, hostName = 'vm'): SourcePosition => ({
  hostName,
  filePath,
  lineno,
});

const inLoss = stack('train.py:30', 'tf/def_function.py:833', 'train.py:24', 'tf/ops.py:5');
const inModel = stack('train.py:30', 'tf/def_function.py:833', 'model.py:9', 'tf/ops.py:5');
const inBoth = stack('model.py:3', 'train.py:31', 'tf/ops.py:7');
const libraryOnly = stack('tf/def_function.py:833', 'tf/ops.py:5');

describe('the line of a newly selected event', () => {
  it('is the innermost user frame', () => {
    expect(focusOfNewEvent(inLoss, null)).toEqual(at('train.py', 24));
    expect(focusOfNewEvent(libraryOnly, null)).toBeNull();
  });

  it('is the last frame of the file that is stuck to, where there is one', () => {
    expect(focusOfNewEvent(inModel, at('train.py', 24))).toEqual(at('train.py', 30));
    expect(focusOfNewEvent(inModel, at('tf/ops.py', 99))).toEqual(at('tf/ops.py', 5));
    expect(focusOfNewEvent(libraryOnly, at('train.py', 24))).toBeNull();
  });

  it('does not stick to the same path of another host', () => {
    expect(focusOfNewEvent(inModel, at('train.py', 24, 'worker-1'))).toEqual(at('model.py', 9));
  });

  it('skips frames that are not recorded', () => {
    const torn = stack('train.py:30', null, '?:13', 'tf/ops.py:5');
    expect(focusOfNewEvent(torn, null)).toEqual(at('train.py', 30));
    expect(isLastOfItsFile(torn.frames, 0)).toBe(true);
    expect(isLastOfItsFile(torn.frames, 1)).toBe(false);
    expect(isLastOfItsFile(torn.frames, 2)).toBe(false);
  });
});

/** An address in memory. */
class Entries implements ViewAddress {
  readonly entries = signal<ReadonlyMap<string, string>>(new Map());
  steps = 0;
  push(changes: Record<string, string | null>): void {
    this.steps++;
    this.replace(changes);
  }
  replace(changes: Record<string, string | null>): void {
    const merged = Object.entries({ ...Object.fromEntries(this.entries()), ...changes });
    this.entries.set(new Map(merged.filter((entry) => entry[1] !== null) as [string, string][]));
  }
}

const trace = (index: number) => ({ kind: 'trace', index: traceIndex(index) }) as const;

describe('FrameFocus', () => {
  let address: Entries;
  let selection: SelectionStore;
  let frameFocus: FrameFocus;
  const answer = signal<Schema<'StackTrace'> | null>(null);
  const pending = signal(false);

  function start(entries: Record<string, string> = {}): void {
    address = new Entries();
    address.replace({ run: 'mlp', ...entries });
    selection = new SelectionStore(address);
    answer.set(null);
    pending.set(false);
    frameFocus = TestBed.runInInjectionContext(
      () => new FrameFocus(selection, { answer, pending }),
    );
    TestBed.tick();
  }

  function select(index: number, arriving: Schema<'StackTrace'>): void {
    selection.select(trace(index));
    pending.set(true);
    TestBed.tick();
    pending.set(false);
    answer.set(arriving);
    TestBed.tick();
  }

  function click(shown: Schema<'StackTrace'>, place: number): void {
    frameFocus.focusFrame(shown.frames, place);
    TestBed.tick();
  }

  beforeEach(() => start());

  it('focuses the innermost user frame, without a step of its own', () => {
    select(71, inLoss);
    expect(selection.focus()).toEqual(at('train.py', 24));
    expect(address.steps).toBe(1);
  });

  it('does not take the former stack for the new one', () => {
    select(71, inLoss);
    selection.select(trace(72));
    pending.set(true);
    TestBed.tick();
    expect(selection.focus()).toBeNull();
    answer.set(inModel);
    pending.set(false);
    TestBed.tick();
    expect(selection.focus()).toEqual(at('model.py', 9));
  });

  it('leaves the focus alone when the stack grows', () => {
    select(71, stack('train.py:30', null));
    answer.set(inModel);
    TestBed.tick();
    expect(selection.focus()).toEqual(at('train.py', 30));
  });

  it('waits for a user frame that is not recorded yet', () => {
    select(71, stack(null, null));
    expect(selection.focus()).toBeNull();
    answer.set(inLoss);
    TestBed.tick();
    expect(selection.focus()).toEqual(at('train.py', 24));
  });

  it('keeps the focus that came with the address, and finds it where none came', () => {
    start({ at: 'trace:71', file: 'train.py', line: '30', host: 'vm', stick: '1' });
    answer.set(inLoss);
    TestBed.tick();
    expect(selection.focus()).toEqual(at('train.py', 30));
    start({ at: 'trace:71' });
    answer.set(inLoss);
    TestBed.tick();
    expect(selection.focus()).toEqual(at('train.py', 24));
  });

  it('sticks to the file of a last frame, also over an event that has no frame of it', () => {
    select(71, inModel);
    click(inModel, 0);
    expect(selection.stickToBottommost()).toBe(true);
    select(72, inLoss);
    expect(selection.focus()).toEqual(at('train.py', 24));
    select(73, stack('model.py:8'));
    expect(selection.focus()).toEqual(at('model.py', 8));
    select(74, inBoth);
    expect(selection.focus()).toEqual(at('train.py', 31));
  });

  it('sticks no more after a frame that is not the last of its file', () => {
    select(71, inLoss);
    click(inLoss, 2);
    expect(selection.stickToBottommost()).toBe(true);
    click(inLoss, 0);
    expect(selection.stickToBottommost()).toBe(false);
    select(72, inModel);
    expect(selection.focus()).toEqual(at('model.py', 9));
  });

  it('ignores a frame without a line, and a click that changes nothing', () => {
    const torn = stack('train.py:30', null);
    select(71, torn);
    click(torn, 1);
    click(torn, 0);
    click(torn, 0);
    expect(address.steps).toBe(2);
  });
});
