import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { gapText, Gaps } from './gaps';
import { Runs } from './runs';
import { Selection } from './selection';

const dropped = (index: number) => ({ index, cause: 'dropped' as const, is_certain: true });

/** Gaps before the executions 0, 50 and 100 of a run whose problems are of these kinds. */
async function gapsOf(kinds: string[]) {
  const get = vi.fn((path: string) =>
    Promise.resolve({ path, executions: [0, 50, 100].map(dropped), graph_executions: [] }),
  );
  const run = signal({ name: 'mlp', bytes_indexed: 1, problem_kinds: kinds, num_executions: 1101 });
  TestBed.configureTestingModule({
    providers: [
      { provide: ApiClient, useValue: { get } },
      { provide: Host, useValue: { visible: () => true } },
      { provide: Runs, useValue: { selected: run, replacements: () => 0 } },
      { provide: Selection, useValue: { run: () => 'mlp' } },
    ],
  });
  const gaps = TestBed.inject(Gaps);
  gaps.between('executions', -1, 0);
  await vi.waitFor(() => TestBed.tick());
  await Promise.resolve();
  TestBed.tick();
  return { gaps, get };
}

describe('Gaps', () => {
  it('are between the events that are listed one after the other', async () => {
    const { gaps } = await gapsOf(['executions_dropped']);
    await vi.waitFor(() => expect(gaps.between('executions', -1, 0)).toContain('are missing'));
    expect(gaps.between('executions', 0, 1)).toBe('');
    expect(gaps.between('executions', 49, 50)).toContain('are missing');
    expect(gaps.between('executions', 50, 51)).toBe('');
    // What a filter hides in between may hide the event behind the gap too.
    expect(gaps.between('executions', 30, 70)).toContain('are missing');
    expect(gaps.between('executions', 30, 49)).toBe('');
    expect(gaps.between('executions', 100, 1000)).toBe('');
    expect(gaps.between('graph_executions', -1, 1000)).toBe('');
  });

  it('tell how many events a circular buffer kept behind each', async () => {
    const { gaps } = await gapsOf(['executions_dropped']);
    await vi.waitFor(() => expect(gaps.of('executions').length).toBe(3));
    expect(gaps.of('executions').map(({ index }) => index)).toEqual([0, 50, 100]);
    expect(gaps.of('executions')[1]?.text).toContain('kept only the 50 that follow.');
    expect(gaps.between('executions', 99, 100)).toContain('kept only the 1,001 that follow.');
    expect(gaps.of('graph_executions')).toEqual([]);
  });

  it('are not asked for where a run has no problem', async () => {
    const { gaps, get } = await gapsOf([]);
    expect(gaps.between('executions', -1, 1000)).toBe('');
    expect(get).not.toHaveBeenCalled();
  });
});

describe('what is said of a gap', () => {
  it.each([
    [
      'executions',
      dropped(0),
      'Executions are missing before this one: a circular buffer kept only the 50 that follow.',
    ],
    [
      'graph_executions',
      { ...dropped(0), is_certain: false },
      'Graph executions are probably missing before this one: a circular buffer kept only the 50 that follow.',
    ],
    [
      'executions',
      { ...dropped(0), cause: 'damaged' },
      'Executions are missing before this one: a part of the file is damaged.',
    ],
  ] as const)('%s %#', (list, gap, text) => {
    expect(gapText(list, gap, 50)).toBe(text);
  });
});
