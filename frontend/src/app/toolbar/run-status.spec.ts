import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RunProblems, type Problem } from '../state/run-problems';
import type { Run } from '../state/runs';
import { ProblemPanel } from '../ui/problem-panel';
import { RunStatus } from './run-status';

const DROPPED = {
  kind: 'executions_dropped',
  severity: 'loss',
  title: 'Executions were dropped',
  message: 'Executions before #0 are missing.',
  meaning: 'A buffer keeps the last 1,000 unless `circular_buffer_size` tells another number.',
  signs: 'A stack frame belongs to no event.',
  remedy: 'Record every event.',
  remedy_code: 'enable_dump_debug_info(\n    circular_buffer_size=-1)',
  docs: 'docs/problems.md#executions-were-dropped-executions_dropped',
  file: '/logs/mlp/tfdbg_events.1.vm.execution',
  offset: null,
  bytes_affected: null,
  records_affected: null,
} as Partial<Problem> as Problem;

const CUT = {
  ...DROPPED,
  kind: 'cut_record',
  title: 'File ends inside a record',
  message: 'The file ends inside a record.',
  offset: 1000,
  bytes_affected: 96,
  records_affected: 1,
  remedy_code: null,
} as Problem;

const NOTE = {
  ...DROPPED,
  kind: 'source_not_captured',
  severity: 'note',
  title: 'Source not captured',
  file: null,
} as Problem;

@Component({
  imports: [RunStatus],
  template: `<tbd-run-status [run]="run()" />`,
})
class Page {
  readonly run = signal({
    name: 'mlp',
    status: 'damaged',
    bytes_indexed: 10,
    bytes_total: 10,
    num_executions: 3,
    num_graph_executions: 0,
    num_problems: 4,
    num_notes: 1,
  } as Run);
}

describe('RunStatus', () => {
  const list = signal<readonly Problem[] | null>(null);
  const failure = signal<string | null>(null);
  const retry = vi.fn();

  function open() {
    TestBed.configureTestingModule({
      providers: [{ provide: RunProblems, useValue: { list, failure, retry } }],
    });
    const fixture = TestBed.createComponent(Page);
    const page = fixture.nativeElement as HTMLElement;
    document.body.append(page);
    const update = () => {
      TestBed.tick();
      fixture.detectChanges();
    };
    update();
    const button = page.querySelector('button') as HTMLElement;
    const words = () => page.textContent.replace(/\s+/g, ' ');
    const opened = () =>
      [...page.querySelectorAll<HTMLElement>('details[data-kind][open]')].map(
        (one) => one.dataset['kind'],
      );
    return { fixture, page, button, update, words, opened };
  }

  beforeEach(() => {
    list.set([DROPPED, CUT, { ...CUT, file: '/logs/mlp/tfdbg_events.1.vm.graphs' }, NOTE]);
    failure.set(null);
  });

  it('says how the run stands, and on a click why and what to do', () => {
    const { page, button, update, words } = open();
    expect(button.textContent.replace(/\s+/g, ' ').trim()).toBe('damaged · 3 events 3 problems');
    button.click();
    update();
    expect(words()).toContain('Something that the program recorded is lost');
    expect(words()).toContain('Lost 3');
    expect(words()).toContain('Good to know 1');
    expect(words()).toContain('File ends inside a record 2 The file ends inside a record.');
    expect(words()).toContain('at byte 1,000 · 96 B · 1 record');
    expect(page.querySelector('pre')?.textContent).toBe(DROPPED.remedy_code);
    expect(page.querySelector('code')?.textContent).toBe('circular_buffer_size');
    const file = page.querySelector('.file .mono');
    expect(file?.textContent).toBe('tfdbg_events.1.vm.execution');
    expect(file?.getAttribute('title')).toBe('/logs/mlp/tfdbg_events.1.vm.execution');
    expect(words()).toContain('docs/problems.md');
  });

  it('opens the first kind where there are many, and each where there are few', () => {
    const { button, update, opened } = open();
    button.click();
    update();
    expect(opened()).toEqual(['executions_dropped']);
    list.set([DROPPED, NOTE]);
    update();
    expect(opened()).toEqual(['executions_dropped', 'source_not_captured']);
  });

  it('is opened by others at the kind that they are about', () => {
    const { update, opened } = open();
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    TestBed.inject(ProblemPanel).show('cut_record');
    update();
    update();
    expect(opened()).toEqual(['cut_record']);
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it('says that nothing is amiss, that it loads, and what failed', () => {
    const { fixture, page, button, update, words } = open();
    list.set(null);
    button.click();
    update();
    expect(words()).toContain('Loading…');
    failure.set('disk on fire');
    update();
    expect(words()).toContain('Could not load this. disk on fire');
    page.querySelector<HTMLElement>('[role=alert] button')?.click();
    expect(retry).toHaveBeenCalledOnce();
    fixture.componentInstance.run.update((run) => ({
      ...run,
      status: 'complete',
      num_problems: 0,
      num_notes: 0,
    }));
    update();
    expect(words()).toContain('No problem was found.');
  });
});
