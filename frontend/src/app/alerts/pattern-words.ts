// Patterns by kind, and what they are called in their rows. Pure.
import type { Schema } from '../api/client';
import { graphText } from '../ui/graph-name';
import { countText } from '../ui/number-text';
import { alertSource } from './alert-words';

export type Patterns = Schema<'Patterns'>;
export type Pattern = Schema<'Pattern'>;
export type KindOfPattern = Schema<'KindOfPattern'>;

/** A kind with the first of its alerts; `kind.num_alerts` and `kind.num_usual` count all. */
export interface PatternGroup {
  readonly kind: KindOfPattern;
  readonly alerts: readonly Pattern[];
  /** Those that healthy programs show too. */
  readonly usual: readonly Pattern[];
}

export function groupsOf({ kinds, alerts }: Patterns): PatternGroup[] {
  return kinds.map((kind) => {
    const own = alerts.filter((alert) => alert.kind === kind.kind);
    return {
      kind,
      alerts: own.filter((alert) => !alert.is_usual),
      usual: own.filter((alert) => alert.is_usual),
    };
  });
}

/** "12 more that healthy programs show too", "None but 4 that healthy programs show too" */
export function usualText({ num_alerts, num_usual }: KindOfPattern): string {
  const usual = `${countText(num_usual)}${num_alerts ? ' more' : ''} that healthy programs show too`;
  return num_alerts ? usual : `None but ${usual}`;
}

/** "Relu:0" of a tensor, "train_step" of a function. */
export function patternName({ op_name, output_slot, graph_name }: Pattern): string {
  if (op_name === null) return graphText(graph_name);
  return `${op_name.slice(op_name.lastIndexOf('/') + 1)}:${output_slot ?? '?'}`;
}

/** "train.py:13"; empty where the line is not known. */
export function patternLine(pattern: Pattern): string {
  const { file, line } = alertSource(pattern);
  return file + line;
}

/** All of the name, and where it is, one thing a line. */
export function patternTitle(pattern: Pattern): string {
  const { op_name, output_slot, op_type, graph_name, source } = pattern;
  return [
    op_name === null ? '' : `${op_name}:${output_slot ?? '?'} (${op_type})`,
    graph_name === null ? '' : `function ${graphText(graph_name)}`,
    source ? `${source.file_path}:${source.lineno}` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** The guide is text: browsers that can go to a place in one find the kind's own heading. */
export function guideHref({ docs, kind }: KindOfPattern): string {
  return `${docs.split('#')[0] ?? docs}#:~:text=${encodeURIComponent(`(\`${kind}\`)`)}`;
}
