// What the gutter says of a line; pure.
import type { Schema } from '../api/client';
import { countOf, countText } from '../ui/number-text';

type LineAnnotation = Schema<'LineAnnotation'>;

/** "2 of 3" where some of the line's events went bad, "3" where none did. */
export function lineCountText({ num_ops, num_bad }: LineAnnotation): string {
  return num_bad > 0 ? `${countText(num_bad)} of ${countText(num_ops)}` : countText(num_ops);
}

/** "Line 24 made 3 ops and executions; 2 of them gave NaN or ∞." */
export function lineCountWords({ lineno, num_ops, num_bad }: LineAnnotation): string {
  const made = `Line ${lineno} made ${countOf(num_ops, 'op or execution', 'ops and executions')}`;
  if (num_bad === 0) return `${made}; no NaN or ∞ was seen.`;
  if (num_ops === 1) return `${made}; it gave NaN or ∞.`;
  return `${made}; ${num_bad === num_ops ? 'all' : countText(num_bad)} of them gave NaN or ∞.`;
}

/** After "Line 24": "made 3 ops and 1 execution, 2 bad." */
export function summaryOf(
  { events, num_events }: Pick<Schema<'LineEvents'>, 'events' | 'num_events'>,
  numBad: number,
): string {
  if (num_events === 0) return 'made nothing that was recorded.';
  const executions = events.filter((event) => event.execution_index !== null).length;
  const ops = events.length - executions;
  const parts = [
    ops > 0 ? countOf(ops, 'op') : '',
    executions > 0 ? countOf(executions, 'execution') : '',
  ];
  const all = num_events === events.length;
  const made = all
    ? parts.filter(Boolean).join(' and ')
    : `${countText(num_events)} ops and executions`;
  return `made ${made}${numBad > 0 ? `, ${countText(numBad)} bad` : ''}.`;
}

/** The first line that went bad, or else the first that made anything. */
export function lineOfInterest(annotations: readonly LineAnnotation[]): number | null {
  const line = annotations.find(({ num_bad }) => num_bad > 0) ?? annotations[0];
  return line?.lineno ?? null;
}
