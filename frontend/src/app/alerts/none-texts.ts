// Why a run has no alert, as far as that is known: what was not observed is never called healthy. Pure.
import { type Problem, problemOf } from '../state/run-problems';
import type { Run } from '../state/runs';
import { empty, type PaneState, unsupported } from '../ui/pane-state';

type Known = Pick<Run, 'status' | 'debug_modes' | 'problem_kinds'>;

/** Modes in which no value is recorded. */
const BLIND_MODES = ['NO_TENSOR', 'SHAPE'];

const DROPPED = 'No alert in what is left: a part of the events was dropped.';
const LOST = 'No alert in what is left: a part of what was recorded is lost.';
const UNOBSERVED = 'No alert in what was observed: nothing tells whether the rest is healthy.';

/** What is said where a run has a problem of a kind; of several the first one counts. */
const TEXTS = new Map<Problem['kind'], string>([
  ['events_not_written', 'No alert: no event reached the disk.'],
  ['nothing_recorded', 'No alert: the program recorded nothing.'],
  ['graph_executions_dropped', DROPPED],
  ['executions_dropped', DROPPED],
  ['out_of_memory', LOST],
  ['unreadable_file', LOST],
  ['missing_file', LOST],
  ['bad_length', LOST],
  ['bad_payload', LOST],
  ['undecodable', LOST],
  ['too_large', LOST],
  ['too_many_names', LOST],
  ['cut_record', LOST],
  ['unobserved_calls', UNOBSERVED],
  ['graphs_without_ops', UNOBSERVED],
]);

export function whyNone(run: Known): PaneState {
  if (run.status === 'loading') {
    return { kind: 'loading', text: 'No alert yet: the run is still being read.' };
  }
  const modes = run.debug_modes;
  if (modes.length && modes.every((mode) => BLIND_MODES.includes(mode))) {
    return unsupported(
      `${modes.join(' and ')} cannot alert: record with tensor_debug_mode='CONCISE_HEALTH' or 'FULL_HEALTH' to see NaN and ∞.`,
      problemOf(run, ['no_values', 'shapes_only']),
    );
  }
  const problem = problemOf(run, [...TEXTS.keys()]);
  const text = problem && TEXTS.get(problem);
  if (text) return empty(text, problem);
  return run.status === 'live'
    ? empty('No alert: nothing recorded so far holds NaN or ∞.')
    : empty('No alert: nothing recorded holds NaN or ∞.');
}
