import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { Mutes } from '../state/mutes';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import type { SelectedEvent } from '../state/view';
import type { MuteQuestion } from './mute-items';
import { deadRelu, patternsOf, retraced } from './pattern-samples';
import { PatternsSection } from './patterns';

describe('patterns', () => {
  const run = signal('mlp');
  const events = signal(100);
  const rules = signal<readonly string[]>([]);
  const selected = signal<SelectedEvent | null>(null);
  const queries: object[] = [];
  let answer = patternsOf();
  let fixture: ComponentFixture<PatternsSection>;
  let page: HTMLElement;

  const get = (path: string, _: unknown, query: object) => {
    if (path === '/logdir') return Promise.resolve({ logdir: '/logs' });
    queries.push(query);
    return Promise.resolve(answer);
  };
  const pass = async () => {
    for (let turn = 0; turn < 3; turn++) {
      fixture.detectChanges();
      await vi.advanceTimersByTimeAsync(50);
    }
    fixture.detectChanges();
  };
  const provide = () => {
    TestBed.configureTestingModule({
      providers: [
        { provide: Mutes, useValue: { rules } },
        { provide: ApiClient, useValue: { get } },
        { provide: Host, useValue: { visible: () => true } },
        {
          provide: Runs,
          useValue: {
            selected: () => ({
              status: 'complete',
              num_executions: 0,
              num_graph_executions: events(),
            }),
            replacements: () => 0,
          },
        },
        {
          provide: Selection,
          useValue: {
            run,
            event: selected,
            select: (event: SelectedEvent) => {
              selected.set(event);
            },
          },
        },
      ],
    });
  };
  const show = async (alone = true) => {
    fixture = TestBed.createComponent(PatternsSection);
    fixture.componentRef.setInput('alone', alone);
    page = fixture.nativeElement as HTMLElement;
    await pass();
  };
  /** All texts, with a space between elements. */
  const words = () => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
    return texts.join(' ').replace(/\s+/g, ' ').trim();
  };
  const press = async (name: string) => {
    const buttons = [...page.querySelectorAll<HTMLElement>('button, input')];
    const found = buttons.find((one) =>
      (one.getAttribute('aria-label') ?? one.textContent.trim()).startsWith(name),
    );
    expect(found, name).toBeDefined();
    found?.click();
    await pass();
  };

  beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    run.set('mlp');
    events.set(100);
    rules.set([]);
    selected.set(null);
    queries.length = 0;
    answer = patternsOf(retraced([1, 2, 3]), deadRelu());
    provide();
  });

  afterEach(() => {
    fixture.destroy();
    localStorage.clear();
    vi.useRealTimers();
  });

  it('lists the kinds that were found, the first one opened, with what was seen and what helps', async () => {
    await show();
    expect(words()).toContain('Patterns over many calls 2');
    expect(words()).toContain('Retraced functions 1');
    expect(words()).toContain('f train.py:13');
    expect(words()).toContain('3 of 3 calls compiled a new version.');
    expect(words()).toContain('What helps: Set reduce_retracing .');
    expect(words()).toContain('Dead activations 1');
    expect(words()).not.toContain('All of 40 elements');
  });

  it('says which kinds were looked for and not found', async () => {
    await show();
    expect(words()).toContain('1 kind looked for and not found Zero gradients');
    expect(words()).not.toContain('cannot show');
  });

  it('does not say of what the debug mode cannot show that it was looked for', async () => {
    answer = {
      ...answer,
      kinds: answer.kinds.map((kind) => ({ ...kind, needs: ['SHAPE', 'FULL_TENSOR'] })),
    };
    await show();
    expect(words()).toContain(
      '1 kind this debug mode cannot show Zero gradients Needs SHAPE or FULL_TENSOR.',
    );
    expect(words()).not.toContain('looked for');
    expect(words()).toContain('Retraced functions 1');
  });

  it('is folded below alerts of tensors until the user unfolds it, and stays as it was left', async () => {
    await show(false);
    expect(words()).toBe('Patterns over many calls 2');
    await press('Patterns');
    expect(words()).toContain('Retraced functions');
    fixture.destroy();
    await show(false);
    expect(words()).toContain('Retraced functions');
  });

  it('selects the last event of what is clicked, and marks it', async () => {
    await show();
    await press('Dead activations');
    await press('Relu:0');
    expect(selected()).toEqual({ kind: 'trace', index: 97 });
    expect(page.querySelector('[aria-current=true]')?.textContent).toContain('Relu:0');
  });

  it('switches a kind off for this logdir, and on again', async () => {
    await show();
    await press('Show retraced functions');
    expect(words()).toContain('Patterns over many calls 1');
    expect(words()).toContain('Retraced functions off');
    fixture.destroy();
    TestBed.resetTestingModule();
    provide();
    await show();
    expect(words()).toContain('Retraced functions off');
    await press('Show retraced functions');
    expect(words()).toContain('Patterns over many calls 2');
  });

  it('opens the first kind of another run', async () => {
    await show();
    await press('Retraced functions');
    expect(words()).not.toContain('3 of 3 calls');
    answer = patternsOf(deadRelu());
    run.set('dead');
    await pass();
    expect(words()).toContain('All of 40 elements');
  });

  it('lists some of many, and more when asked', async () => {
    answer = patternsOf(...Array.from({ length: 150 }, () => deadRelu()));
    await show();
    expect(page.querySelectorAll('li').length).toBe(20);
    await press('Show more');
    expect(page.querySelectorAll('li').length).toBe(120);
  });

  it('folds what healthy programs show too, and does not count it', async () => {
    const usual = deadRelu({ evidence: '60% of 40 elements were zero.', is_usual: true });
    answer = patternsOf(deadRelu(), usual, usual);
    await show();
    expect(words()).toContain('Patterns over many calls 1');
    expect(words()).toContain('Dead activations 1');
    const folded = page.querySelector('details');
    expect(folded?.open).toBe(false);
    expect(folded?.querySelector('summary')?.textContent).toBe(
      '2 more that healthy programs show too',
    );
    expect(folded?.textContent).toContain('Half of them are zero.');
    expect(folded?.querySelectorAll('li').length).toBe(2);
    expect(page.querySelectorAll('li').length).toBe(3);
  });

  it('opens no kind that healthy programs show too, and counts none', async () => {
    answer = patternsOf(deadRelu({ is_usual: true }));
    await show();
    expect(words()).toContain('Patterns over many calls 0');
    expect(words()).toContain('Dead activations None but 1 that healthy programs show too');
    expect(page.querySelector('.usual input')).toBeNull();
    expect(page.querySelector('.kind')?.classList).toContain('usual');
    expect(page.querySelector('li')).toBeNull();
    expect(words()).toContain('2 kinds looked for and not found');
    await press('Dead activations');
    expect(page.querySelectorAll('li').length).toBe(1);
    expect(words()).not.toContain('What helps');
  });

  it('asks what to mute of a pattern, beside its button', async () => {
    await show();
    const asked: MuteQuestion[] = [];
    fixture.componentInstance.muteAsked.subscribe((question) => asked.push(question));
    await press('Mute alerts like f');
    expect(asked.map(({ alert }) => alert.graph_name)).toEqual(['f']);
    expect(asked[0]?.anchor.getAttribute('aria-haspopup')).toBe('menu');
    expect(selected()).toBeNull();
  });

  it('asks without what is muted, and again when the rules change', async () => {
    await show();
    rules.set(['op_type:Relu']);
    await pass();
    expect(queries).toEqual([
      { run: 'mlp', mute: [] },
      { run: 'mlp', mute: ['op_type:Relu'] },
    ]);
  });

  it('does not ask again for a few more events, but for many', async () => {
    await show();
    events.set(101);
    await pass();
    expect(queries.length).toBe(1);
    events.set(200);
    await pass();
    expect(queries.length).toBe(2);
  });
});
