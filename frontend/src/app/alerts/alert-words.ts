// What an alert is called in its row, in a tooltip and for a screen reader. Pure.
import type { Schema } from '../api/client';
import { countOf } from '../ui/number-text';
import { badText } from '../ui/tensor-health';

export type Alert = Schema<'Alert'>;

/** "#71" for a graph execution, "e35" for an eager one. */
export function placeText(alert: Alert): string {
  return alert.graph_execution_trace_index === null
    ? `e${alert.execution_index ?? '?'}`
    : `#${alert.graph_execution_trace_index}`;
}

/** A name in two parts, of which the second stays readable where there is little room. */
export interface AlertName {
  /** "gradients/add_grad/" */
  readonly scope: string;
  /** "Sum:0" */
  readonly name: string;
}

export function alertName(alert: Alert): AlertName {
  if (alert.op_name === null) {
    return { scope: '', name: functionName(alert) || alert.op_type };
  }
  const slash = alert.op_name.lastIndexOf('/') + 1;
  return {
    scope: alert.op_name.slice(0, slash),
    name: `${alert.op_name.slice(slash)}:${alert.output_slot ?? '?'}`,
  };
}

/** Which function computed it, or which output of an eager execution it is. */
export function whereText(alert: Alert): string {
  return alert.graph_execution_trace_index === null
    ? `eager, output ${alert.output_slot ?? '?'}`
    : functionName(alert);
}

/** "loss_fn", "backward loss_fn"; empty outside of functions. */
function functionName({ function_name, function_kind }: Alert): string {
  return (function_kind === 'backward' ? 'backward ' : '') + (function_name ?? '');
}

/** Where the user's code made it, in two parts, of which the second stays readable. */
export interface AlertSource {
  /** "mlp_log0.py" */
  readonly file: string;
  /** ":24" */
  readonly line: string;
}

export function alertSource({ source }: Pick<Alert, 'source'>): AlertSource {
  if (!source) return { file: '', line: '' };
  return { file: source.file_path.split(/[\\/]/).at(-1) ?? '', line: `:${source.lineno}` };
}

/** All of it, one thing a line. */
export function alertTitle(alert: Alert): string {
  const { scope, name } = alertName(alert);
  const { source, size } = alert;
  const eager = alert.graph_execution_trace_index === null;
  return [
    `${scope}${name} (${alert.op_type})`,
    `${eager ? 'execution' : 'graph execution'} ${placeText(alert)}${prefixed(', ', whereText(alert))}`,
    badText(alert) + (size === null ? '' : ` of ${countOf(size, 'value')}`),
    source ? `${source.file_path}:${source.lineno} in ${source.function}` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** The row for who does not see it. */
export function alertLabel(alert: Alert): string {
  const { scope, name } = alertName(alert);
  const place =
    alert.graph_execution_trace_index === null
      ? `execution ${alert.execution_index ?? '?'}`
      : `graph execution ${alert.graph_execution_trace_index}`;
  const { file, line } = alertSource(alert);
  return [place, scope + name, whereText(alert), badText(alert), file + line]
    .filter(Boolean)
    .join(', ');
}

function prefixed(prefix: string, text: string): string {
  return text && prefix + text;
}
