// Why a timeline has no executions. Pure.
import { LOSSES, problemOf } from '../state/run-problems';
import type { Run } from '../state/runs';
import { empty, type PaneState } from '../ui/pane-state';

type Known = Pick<Run, 'status' | 'num_graphs' | 'num_graph_executions' | 'problem_kinds'>;

/** Why a run that is read has no execution at all. */
export function whyNone(run: Known): PaneState {
  const kinds = run.problem_kinds;
  if (run.status === 'live' && run.num_graph_executions === 0) {
    return empty('No execution has been recorded yet. The first ones appear here by themselves.');
  }
  if (kinds.includes('events_not_written')) {
    return empty(
      'No execution reached the disk: the program was ended while they were in its memory.',
      'events_not_written',
    );
  }
  if (kinds.includes('nothing_recorded')) {
    return empty('The program recorded nothing.', 'nothing_recorded');
  }
  if (kinds.includes('only_graph_executions')) {
    return empty(
      'No execution is here: these are the files of a worker, and executions are in those of the program that it worked for.',
      'only_graph_executions',
    );
  }
  const loss = problemOf(run, LOSSES);
  if (loss) {
    return empty(
      'No execution was read. Files of this run are missing or damaged: whether the program ran anything is not known.',
      loss,
    );
  }
  if (run.num_graph_executions > 0) {
    return empty(
      'No execution was recorded: sessions of TensorFlow 1 and functions called in a thread without the debugger leave none. ' +
        'What ran is in Graph Executions.',
    );
  }
  return empty(
    run.num_graphs > 0
      ? 'No execution was recorded: the program ended before it ran what it had built.'
      : 'No execution was recorded: the program ended before its first op.',
  );
}
