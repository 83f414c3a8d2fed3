import { describe, expect, it } from 'vitest';
import type { Run } from '../state/runs';
import { modeNote, untold, whyNone } from './list-texts';

const run = {
  status: 'complete',
  num_executions: 0,
  num_graphs: 0,
  num_graph_executions: 0,
  debug_modes: [] as string[],
  problem_kinds: [] as Run['problem_kinds'],
} as const;

const textOf = (state: ReturnType<typeof whyNone>) => ('text' in state ? (state.text ?? '') : '');

describe('why a run has no graph executions', () => {
  it.each([
    [{ ...run, status: 'loading' as const }, 'Reading the run'],
    [{ ...run, status: 'live' as const, num_executions: 9 }, 'recorded yet'],
    [{ ...run, num_executions: 9 }, 'ran its ops eagerly'],
    [{ ...run, num_executions: 9, num_graphs: 1 }, '1 graph was built'],
    [{ ...run, num_graphs: 6 }, '6 graphs were built'],
    [run, 'no op was executed'],
    [{ ...run, problem_kinds: ['nothing_recorded' as const] }, 'recorded nothing'],
  ])('%#', (size, text) => {
    expect(textOf(whyNone(size))).toContain(text);
  });
});

describe('a problem that is why there are none', () => {
  it.each([
    ['events_not_written', 'while they were in its memory'],
    ['unobserved_calls', 'nothing inside them was observed'],
    ['missing_file', 'missing or damaged'],
    ['bad_length', 'whether a graph ran is not known'],
  ] as const)('%s', (kind, text) => {
    const state = whyNone({ ...run, num_graphs: 3, problem_kinds: [kind] });
    expect(textOf(state)).toContain(text);
    expect(state).toMatchObject({ problem: kind });
  });
});

describe('what a mode leaves out', () => {
  it('is told once', () => {
    expect(modeNote({ ...run, debug_modes: ['NO_TENSOR'] })).toContain('NO_TENSOR');
    expect(modeNote({ ...run, debug_modes: ['CURT_HEALTH'] })).toContain('only whether');
    expect(modeNote({ ...run, debug_modes: ['FULL_HEALTH'] })).toBe('');
    expect(modeNote({ ...run, debug_modes: ['NO_TENSOR', 'FULL_HEALTH'] })).toBe('');
  });

  it('may be what a filter asks for', () => {
    const bad = { infNanOnly: true, allZeroOnly: false };
    const zero = { infNanOnly: false, allZeroOnly: true };
    expect(untold({ debug_modes: ['SHAPE'] }, bad)).toContain('SHAPE mode does not record');
    expect(untold({ debug_modes: ['SHAPE', 'CURT_HEALTH'] }, bad)).toBe('');
    expect(untold({ debug_modes: ['CONCISE_HEALTH'] }, zero)).toContain('are zero');
    expect(untold({ debug_modes: ['CONCISE_HEALTH', 'FULL_HEALTH'] }, zero)).toBe('');
    expect(untold({ debug_modes: [] }, { ...bad, ...zero })).toBe('');
  });
});
