import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '../api/client';
import { executionIndex, fileIndex } from '../api/indices';
import { FocusedEvent } from '../state/focused-event';
import { FocusedStack } from '../state/focused-stack';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import { stack } from './stack-builder';
import { ProblemPanel } from '../ui/problem-panel';
import { StackTrace } from './stack-trace';

const inLoss = stack('train.py:30', 'tf/a.py:1', 'keras/b.py:2', 'train.py:24', 'tf/c.py:3');

describe('Stack Trace', () => {
  let selection: SelectionStore;
  let fixture: ComponentFixture<StackTrace>;
  let page: HTMLElement;
  const answer = signal<Schema<'StackTrace'> | null>(null);
  const pending = signal(false);
  const failure = signal<string | null>(null);
  const kinds = signal<string[]>([]);
  const status = signal('complete');

  beforeEach(() => {
    const entries = signal<ReadonlyMap<string, string>>(new Map());
    const write = (changes: Record<string, string | null>) =>
      entries.set(
        new Map(Object.entries(changes).filter((one) => one[1] !== null) as [string, string][]),
      );
    selection = new SelectionStore({ entries, push: write, replace: write });
    selection.adoptRun('mlp');
    answer.set(null);
    pending.set(false);
    failure.set(null);
    kinds.set([]);
    status.set('complete');
    Element.prototype.scrollIntoView = () => undefined;
    const execution = { index: 35, op_type: '__forward_loss_fn_3', function_name: 'loss_fn' };
    const event = {
      op: () => null,
      execution: { answer: () => ({ execution }) },
      trace: { answer: () => null, failure: () => null, retry: () => undefined },
    };
    const retry = () => failure.set(null);
    TestBed.configureTestingModule({
      providers: [
        { provide: Selection, useValue: selection },
        { provide: FocusedEvent, useValue: event },
        { provide: FocusedStack, useValue: { stack: { answer, pending, failure, retry } } },
        {
          provide: Runs,
          useValue: {
            selected: () => ({ status: status(), problem_kinds: kinds() }),
            replacements: () => 0,
          },
        },
      ],
    });
    fixture = TestBed.createComponent(StackTrace);
    page = fixture.nativeElement as HTMLElement;
    document.body.append(page);
    fixture.detectChanges();
  });

  afterEach(() => page.remove());

  const shown = () => page.textContent?.replace(/\s+/g, ' ') ?? '';
  const rows = () =>
    [...page.querySelectorAll('li')].map((row) => row.textContent?.replace(/\s+/g, ' ').trim());
  const current = () =>
    [...page.querySelectorAll('[aria-current=true]')].map((row) => row.textContent?.trim());
  const press = (row: number) => {
    page.querySelectorAll<HTMLElement>('li button')[row]?.click();
    fixture.detectChanges();
  };
  const select = (arriving: Schema<'StackTrace'>) => {
    selection.select({ kind: 'execution', index: executionIndex(35) });
    answer.set(arriving);
    fixture.detectChanges();
  };

  it('says what to select, and why a source line has no stack', () => {
    expect(shown()).toContain('Select an alert');
    selection.select({ kind: 'source', fileIndex: fileIndex(0), lineno: 3 });
    fixture.detectChanges();
    expect(shown()).toContain('A source line has no stack');
  });

  it('shows the stack with its innermost user frame focused', () => {
    select(inLoss);
    expect(shown()).toContain('execution 35, loss_fn · vm');
    expect(rows()).toEqual([
      'train.py f30 line 30',
      '▸ 2 frames of TensorFlow and Keras',
      'train.py f24 line 24',
      '▸ 1 frame of TensorFlow',
    ]);
    expect(current()).toEqual([expect.stringContaining('line 24')]);
  });

  it('opens and closes a fold', () => {
    select(inLoss);
    press(1);
    expect(rows()).toHaveLength(6);
    expect(page.querySelector('[aria-expanded=true]')?.textContent).toContain('2 frames');
    press(1);
    expect(rows()).toHaveLength(4);
  });

  it('focuses the frame that is pressed, and tells that it sticks to its file', () => {
    select(inLoss);
    press(0);
    expect(selection.focus()?.lineno).toBe(30);
    expect(page.querySelector('.sticks')).toBeNull();
    press(2);
    expect(selection.focus()?.lineno).toBe(24);
    expect(page.querySelector('.sticks')?.getAttribute('title')).toContain('train.py');
  });

  it('keeps a fold open that held the focused frame, when the focus leaves it', () => {
    select(inLoss);
    selection.focusSource({ hostName: 'vm', filePath: 'keras/b.py', lineno: 2 });
    fixture.detectChanges();
    expect(rows()).toHaveLength(6);
    press(0);
    expect(rows()).toHaveLength(6);
  });

  it('keeps the former stack in view while the next is on its way', () => {
    select(inLoss);
    pending.set(true);
    selection.select({ kind: 'execution', index: executionIndex(36) });
    fixture.detectChanges();
    expect(rows()).toHaveLength(4);
    expect(page.querySelector('section')?.getAttribute('aria-busy')).toBe('true');
    expect(current()).toEqual([]);
  });

  it('tells what is missing, and whether it may still come', () => {
    select(stack('?:13', null, null));
    expect(rows()).toEqual(['file not recorded f13 line 13', '2 frames not recorded']);
    press(0);
    expect(selection.focus()).toBeNull();
    status.set('live');
    answer.set(stack(null, null));
    fixture.detectChanges();
    expect(shown()).toContain('None of the 2 frames of this stack is recorded yet');
    status.set('damaged');
    kinds.set(['missing_stack_frames']);
    fixture.detectChanges();
    expect(shown()).toMatch(/None of the 2 frames of this stack is recorded\..*What to do/);
    page.querySelector<HTMLElement>('.message button')?.click();
    expect(TestBed.inject(ProblemPanel).asked()?.kind).toBe('missing_stack_frames');
    answer.set(stack());
    fixture.detectChanges();
    expect(shown()).toContain('No stack was recorded');
  });

  it('offers to try again what failed', () => {
    pending.set(true);
    failure.set('disk on fire');
    selection.select({ kind: 'execution', index: executionIndex(35) });
    fixture.detectChanges();
    expect(shown()).toContain('disk on fire');
    page.querySelector<HTMLElement>('.message button')?.click();
    fixture.detectChanges();
    expect(shown()).toContain('Loading…');
  });
});
