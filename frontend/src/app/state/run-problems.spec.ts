import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { RunProblems } from './run-problems';
import { Runs } from './runs';
import { Selection } from './selection';

const about = (kind: string, title: string, graphs: string[]) => ({
  kind,
  title,
  meaning: 'See `f`.',
  graphs: graphs.map((graph_id) => ({ graph_id, name: 'f', num_graph_executions: 0 })),
});

function problemsOf(count: number) {
  const get = vi.fn((path: string) =>
    Promise.resolve({
      path,
      problems: [
        about('graph_executions_dropped', 'Dropped', ['g1']),
        about('missing_ops', 'Ops are missing', ['g1', 'g2']),
        about('graphs_without_ops', 'Functions without recorded ops', ['g2']),
      ],
    }),
  );
  const run = signal({ name: 'mlp', bytes_indexed: 1, num_problems: count, problem_kinds: [] });
  TestBed.configureTestingModule({
    providers: [
      { provide: ApiClient, useValue: { get } },
      { provide: Host, useValue: { visible: () => true } },
      { provide: Runs, useValue: { selected: run, replacements: () => 0 } },
      { provide: Selection, useValue: { run: () => 'mlp' } },
    ],
  });
  const problems = TestBed.inject(RunProblems);
  problems.list();
  TestBed.tick();
  return { problems, get };
}

describe('RunProblems', () => {
  it('tells what is amiss with a graph itself, not with some of its calls', async () => {
    const { problems } = problemsOf(3);
    expect(problems.list()).toBeNull();
    await vi.waitFor(() => expect(problems.list()).toHaveLength(3));
    expect(problems.ofGraph('g1')).toBe('Ops are missing. See f.');
    expect(problems.ofGraph('g2')).toBe(
      'Ops are missing. See f.\nFunctions without recorded ops. See f.',
    );
    expect(problems.ofGraph('g2', 'graphs_without_ops')).toBe(
      'Functions without recorded ops. See f.',
    );
    expect(problems.ofGraph('g3')).toBe('');
  });

  it('asks for nothing where there are none', () => {
    const { problems, get } = problemsOf(0);
    expect(problems.list()).toEqual([]);
    expect(get).not.toHaveBeenCalled();
  });
});
