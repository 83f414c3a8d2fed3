// What can be muted of an alert, or of all alerts of a kind, as the items of a menu. Pure.
import type { Schema } from '../api/client';
import { graphText } from '../ui/graph-name';
import { countText } from '../ui/number-text';
import { type Alert, alertSource } from './alert-words';

export interface MuteItem {
  readonly rule: string;
  /** "op type" */
  readonly kind: string;
  /** "Log" */
  readonly text: string;
  /** "12", beside the text; empty for nothing. */
  readonly note: string;
}

type Muted = Pick<Alert, 'op_type' | 'op_name' | 'function_name' | 'graph_name' | 'source'>;

export function itemsOfAlert(alert: Muted): MuteItem[] {
  const { op_type, op_name, source } = alert;
  // Of a function's own call the function is the type.
  const isCall = op_name === null && alert.function_name !== null;
  const named = alert.function_name ?? source?.function ?? null;
  const { file, line } = alertSource(alert);
  return [
    isCall || !op_type ? null : item(`op_type:${op_type}`, 'op type', op_type),
    op_name === null ? null : item(`op:${op_name}`, 'op', op_name),
    named ? item(`function:${named}`, 'function', named) : null,
    source ? item(`line:${source.file_path}:${source.lineno}`, 'line', file + line) : null,
  ].filter((one) => one !== null);
}

/** The types of the most alerts. */
export function itemsOfTypes(types: readonly Schema<'NumAlertsOfType'>[]): MuteItem[] {
  return types.map(({ op_type, num_alerts }) => {
    const text = graphText(op_type);
    return {
      ...item(`op_type:${op_type}`, text === op_type ? 'op type' : 'function', text),
      note: countText(num_alerts),
    };
  });
}

function item(rule: string, kind: string, text: string): MuteItem {
  return { rule, kind, text, note: '' };
}
