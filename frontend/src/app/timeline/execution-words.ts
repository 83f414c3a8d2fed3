// What executions are called, in a box, in a tooltip and for a screen reader. Pure.
import type { Schema } from '../api/client';
import { countOf, countText } from '../ui/number-text';

export type ExecutionDigest = Schema<'ExecutionDigest'>;
type Named = Pick<ExecutionDigest, 'op_type' | 'function_name'>;

/** The Python name of a function, else the op's type. */
export function executionName({ op_type, function_name }: Named): string {
  return function_name ?? op_type;
}

/** What stands in the box: the first letter of the name, as a capital, since a lone "l" reads as a one. */
export function boxLetter(execution: Named): string {
  const name = executionName(execution);
  const first = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? [...name][0] ?? '?';
  const capital = first.toUpperCase();
  return [...capital].length === 1 ? capital : first;
}

/** What is computed of a function; empty for an op. */
export function functionWords({ function_kind }: Pick<ExecutionDigest, 'function_kind'>): string {
  switch (function_kind) {
    case 'forward':
      return 'forward, for gradients';
    case 'backward':
      return 'backward';
    case 'inference':
      return 'function';
    case null:
      return '';
  }
}

/** "1 output with NaN or ∞"; empty where there is none. */
export function badOutputsText(numAlerts: number): string {
  return numAlerts ? `${countOf(numAlerts, 'output')} with NaN or ∞` : '';
}

/** "#35 loss_fn (forward, for gradients)", below it the op's own name and what is bad. */
export function boxTitle(execution: ExecutionDigest, marks: readonly string[] = []): string {
  const words = functionWords(execution);
  const lines = [
    `#${countText(execution.index)} ${executionName(execution)}${words && ` (${words})`}`,
    execution.function_name === null ? '' : execution.op_type,
    badOutputsText(execution.num_alerts),
    ...marks,
  ];
  return lines.filter(Boolean).join('\n');
}

/** "execution 35, loss_fn, forward function, 1 output with NaN or ∞" */
export function boxLabel(execution: ExecutionDigest, marks: readonly string[] = []): string {
  const { index, function_kind, num_alerts } = execution;
  const kind =
    function_kind === null
      ? ''
      : function_kind === 'inference'
        ? 'function'
        : `${function_kind} function`;
  const bad = badOutputsText(num_alerts);
  return [`execution ${index}`, executionName(execution), kind, bad, ...marks]
    .filter(Boolean)
    .join(', ');
}
