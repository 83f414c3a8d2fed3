// What the toolbar says of a run: how it stands, why, and how many problems it has. Pure.
import type { Run } from '../state/runs';
import { bytesText, countOf } from '../ui/number-text';

type Counts = Pick<
  Run,
  | 'status'
  | 'bytes_indexed'
  | 'bytes_total'
  | 'num_executions'
  | 'num_graph_executions'
  | 'num_problems'
  | 'num_notes'
>;

/** How much of its files is read, from 0 to 1. */
export function shareRead({ bytes_indexed, bytes_total }: Counts): number {
  return bytes_total > 0 ? Math.min(bytes_indexed / bytes_total, 1) : 0;
}

/** "loading 40 % · 251 events" */
export function statusText(run: Counts): string {
  const percent = run.status === 'loading' ? ` ${Math.floor(shareRead(run) * 100)} %` : '';
  const events = run.num_executions + run.num_graph_executions;
  return `${run.status}${percent} · ${countOf(events, 'event')}`;
}

/** What the status means for the user, in a sentence or two. */
export function statusExplanation(run: Counts): string {
  const read = `${bytesText(run.bytes_indexed)} of ${bytesText(run.bytes_total)} read.`;
  switch (run.status) {
    case 'loading':
      return `What is on disk is being read, and shown as it comes. ${read}`;
    case 'live':
      return `The program has written within the last minute, and may go on: what it writes appears here by itself. ${read}`;
    case 'damaged':
      return `Something that the program recorded is lost; all the rest is shown. ${read}`;
    case 'complete':
      return run.num_problems > run.num_notes
        ? `Nothing is known to be lost, but not all can be shown. ${read}`
        : `All that was written is shown, and nobody has written for a minute. ${read}`;
  }
}

/** "2 problems", or "1 note" where there is nothing graver; empty where there is nothing at all. */
export function problemsText({ num_problems, num_notes }: Counts): string {
  if (num_problems > num_notes) return countOf(num_problems - num_notes, 'problem');
  return num_notes ? countOf(num_notes, 'note') : '';
}
