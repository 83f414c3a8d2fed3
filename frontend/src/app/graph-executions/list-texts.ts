// What the pane says where there are no rows, or where the rows cannot tell all. Pure.
import { LOSSES, problemOf } from '../state/run-problems';
import type { Run } from '../state/runs';
import type { EventFilter } from '../state/view';
import { countOf } from '../ui/number-text';
import { empty, type PaneState } from '../ui/pane-state';

/** Modes that write no values of tensors, so that no filter can find NaN or infinity. */
const WITHOUT_HEALTH: readonly string[] = ['NO_TENSOR', 'SHAPE'];

/** Modes that do not count zeros. */
const WITHOUT_ZEROS: readonly string[] = [...WITHOUT_HEALTH, 'CURT_HEALTH', 'CONCISE_HEALTH'];

type Size = Pick<
  Run,
  | 'status'
  | 'num_executions'
  | 'num_graphs'
  | 'num_graph_executions'
  | 'debug_modes'
  | 'problem_kinds'
>;

/** Why no filter can find what is asked for; empty where one can. */
export function untold(
  { debug_modes: modes }: Pick<Size, 'debug_modes'>,
  filter: Pick<EventFilter, 'infNanOnly' | 'allZeroOnly'>,
): string {
  const allAre = (blind: readonly string[]) =>
    modes.length > 0 && modes.every((mode) => blind.includes(mode));
  if (filter.infNanOnly && allAre(WITHOUT_HEALTH)) {
    return `${modes.join(', ')} mode does not record whether a tensor holds NaN or ∞. CURT_HEALTH, CONCISE_HEALTH and FULL_HEALTH do.`;
  }
  if (filter.allZeroOnly && allAre(WITHOUT_ZEROS)) {
    return `${modes.join(', ')} mode does not record how many values are zero. FULL_HEALTH and FULL_TENSOR do.`;
  }
  return '';
}

/** Why a run has no graph executions at all. */
export function whyNone(run: Size): PaneState {
  if (run.status === 'loading') return { kind: 'loading', text: 'Reading the run…' };
  if (run.status === 'live') {
    return empty(
      'No tensor of a graph has been recorded yet. The first ones appear here by themselves.',
    );
  }
  if (run.problem_kinds.includes('events_not_written')) {
    return empty(
      'No graph execution reached the disk: the program was ended while they were in its memory.',
      'events_not_written',
    );
  }
  if (run.problem_kinds.includes('nothing_recorded')) {
    return empty('The program recorded nothing.', 'nothing_recorded');
  }
  if (run.problem_kinds.includes('unobserved_calls')) {
    return empty(
      'Functions were called, but nothing inside them was observed: whether it is healthy is not known.',
      'unobserved_calls',
    );
  }
  const loss = problemOf(run, LOSSES);
  if (loss) {
    return empty(
      'No graph execution was read. Files of this run are missing or damaged: whether a graph ran is not known.',
      loss,
    );
  }
  if (run.num_graphs > 0) {
    return empty(
      `${countOf(run.num_graphs, 'graph was', 'graphs were')} built, but no tensor of ${run.num_graphs === 1 ? 'it' : 'them'} was recorded: ` +
        'the program ended before it ran a graph, or op_regex and tensor_dtypes of enable_dump_debug_info() leave all ops out.',
    );
  }
  return empty(
    run.num_executions > 0
      ? 'No graph ran: the program ran its ops eagerly, outside of any tf.function. They are in Python Execution Timeline.'
      : 'No graph ran, and no op was executed: the program ended before its first op, or recorded none.',
  );
}

/** What the mode leaves out of the rows; empty where it records values. */
export function modeNote(run: Size): string {
  const [mode, ...others] = run.debug_modes;
  if (!mode || others.length) return '';
  switch (mode) {
    case 'NO_TENSOR':
      return 'NO_TENSOR mode records which tensors were computed, not their values. FULL_HEALTH records both.';
    case 'SHAPE':
      return 'SHAPE mode records no values. FULL_HEALTH tells NaN, ∞, negative, zero and positive apart.';
    case 'CURT_HEALTH':
      return 'CURT_HEALTH mode records only whether a tensor holds NaN or ∞. FULL_HEALTH counts them.';
    default:
      return '';
  }
}
