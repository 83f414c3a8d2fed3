import { describe, expect, it } from 'vitest';
import type { Run } from '../state/runs';
import { whyNone } from './none-texts';

const RUN = {
  status: 'complete',
  num_graphs: 0,
  num_graph_executions: 0,
  problem_kinds: [] as Run['problem_kinds'],
} as const;

describe('why a timeline has no executions', () => {
  it.each([
    [RUN, 'before its first op'],
    [{ ...RUN, num_graphs: 2 }, 'before it ran what it had built'],
    [{ ...RUN, num_graph_executions: 35 }, 'sessions of TensorFlow 1'],
    [{ ...RUN, status: 'live' as const }, 'has been recorded yet'],
    [{ ...RUN, status: 'live' as const, num_graph_executions: 35 }, 'sessions of TensorFlow 1'],
  ])('%#', (run, text) => {
    expect(whyNone(run)).toMatchObject({ kind: 'empty' });
    expect(JSON.stringify(whyNone(run))).toContain(text);
  });

  it.each([
    ['events_not_written', 'while they were in its memory'],
    ['nothing_recorded', 'recorded nothing'],
    ['missing_file', 'missing or damaged'],
    ['bad_payload', 'whether the program ran anything is not known'],
    ['only_graph_executions', 'files of a worker'],
  ] as const)('%s: and what to do', (kind, text) => {
    const state = whyNone({ ...RUN, num_graph_executions: 9, problem_kinds: [kind] });
    expect(state).toMatchObject({ kind: 'empty', problem: kind });
    expect(JSON.stringify(state)).toContain(text);
  });
});
