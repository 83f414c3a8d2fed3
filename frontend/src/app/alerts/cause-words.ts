// What a root cause and the steps from it to the damage are called. Pure.
import type { Schema } from '../api/client';
import { graphText } from '../ui/graph-name';
import { countOf, countText, ordinalText } from '../ui/number-text';
import { alertSource } from './alert-words';

export type RootCauses = Schema<'RootCauses'>;
export type RootCause = Schema<'RootCause'>;
export type CauseLink = Schema<'CauseLink'>;
export type ChainLink = Schema<'ChainLink'>;

/** "1 cause explains 123 of 123 alerts, 12 muted"; harmless causes are not counted. */
export function headlineOf(found: RootCauses): string {
  const { causes, num_muted_causes, num_alerts, num_muted } = found;
  if (num_alerts && !causes.length && num_muted_causes) {
    const cause = num_muted_causes === 1 ? 'cause is' : 'causes are';
    return `${countOf(num_alerts, 'alert')} left; their ${cause} among ${countText(num_muted)} muted`;
  }
  return ofThoseLeft(found) + (num_muted ? `, ${countText(num_muted)} muted` : '');
}

function ofThoseLeft({ causes, num_causes, num_alerts }: RootCauses): string {
  const harmful = causes.filter((cause) => !cause.is_harmless);
  const all = countOf(num_alerts, 'alert');
  if (!num_alerts) return 'No alert is left';
  if (!causes.length) return `No cause found for ${all}`;
  if (!harmful.length) return `Nothing harmful in ${all}`;
  const explained = harmful.reduce((sum, cause) => sum + cause.num_alerts, 0);
  const first = num_causes > causes.length ? 'The first ' : '';
  const verb = harmful.length === 1 ? 'explains' : 'explain';
  return `${first}${countOf(harmful.length, 'cause')} ${verb} ${countText(explained)} of ${all}`;
}

/** "loss_fn": the function of the user's code, else that of the graph; empty for an eager op without a line. */
export function functionOf({ source, graph_name }: RootCause): string {
  return source?.function ?? (graph_name === null ? '' : graphText(graph_name));
}

/** "mlp_log0.py:24"; empty where the line is not known. */
export function lineOf(cause: Pick<RootCause, 'source'>): string {
  const { file, line } = alertSource(cause);
  return file + line;
}

const CONFIDENCE = {
  high: ['high confidence', 'Nothing bad was seen to go in'],
  medium: ['medium confidence', 'Not all that went in, or of the way to the damage, was recorded'],
  low: ['low confidence', 'A record is missing, or it may be meant to be so'],
} as const;

export function confidenceOf({ confidence }: RootCause): { text: string; meaning: string } {
  const [text, meaning] = CONFIDENCE[confidence];
  return { text, meaning };
}

/** "37th call of train_step"; empty for an eager op and where the call is not recorded. */
export function callOf({ call_number, called, op_type }: RootCause): string {
  if (call_number === null || called === null || called === op_type) return '';
  return `${ordinalText(call_number)} call of ${called}`;
}

/** What is not known of the way to a step, in words; empty where it is recorded without a gap. */
export function doubtOf({ is_guess, num_skipped }: ChainLink): string {
  if (num_skipped) return `${countOf(num_skipped, 'step')} left out before`;
  return is_guess ? 'a guess' : '';
}

/** "Log:0" in a graph, "Log" for an eager op. */
export function linkName({ op_name, op_type, output_slot }: CauseLink): string {
  if (op_name === null) return graphText(op_type);
  return `${op_name.slice(op_name.lastIndexOf('/') + 1)}:${output_slot ?? '?'}`;
}
