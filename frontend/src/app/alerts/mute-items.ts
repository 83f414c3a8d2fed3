// What can be muted of an alert, or of all alerts of a kind, as the items of a menu. Pure.
import type { Schema } from '../api/client';
import { graphText, parseGraphName } from '../ui/graph-name';
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

/** An alert of a tensor, or a pattern, whose function is known by its graph. */
type Muted = Pick<Alert, 'op_type' | 'op_name' | 'graph_name' | 'source'> &
  Partial<Pick<Alert, 'function_name'>>;

/** An alert of which it is asked what can be muted, and where that was asked. */
export interface MuteQuestion {
  readonly alert: Muted;
  readonly anchor: Element;
}

export function itemsOfAlert(alert: Muted): MuteItem[] {
  const { op_type, op_name, source } = alert;
  // Of a function's own call the function is the type.
  const { function_name = functionOfGraph(alert.graph_name) } = alert;
  const isCall = op_name === null && function_name !== null;
  const named = function_name ?? source?.function ?? null;
  const { file, line } = alertSource(alert);
  return [
    isCall || !op_type ? null : item(`op_type:${op_type}`, 'op type', op_type),
    op_name === null ? null : item(`op:${op_name}`, 'op', op_name),
    named ? item(`function:${named}`, 'function', named) : null,
    source ? item(`line:${source.file_path}:${source.lineno}`, 'line', file + line) : null,
  ].filter((one) => one !== null);
}

function functionOfGraph(graph: string | null): string | null {
  return graph === null ? null : parseGraphName(graph).functionName;
}

/** The types of the most alerts. */
export function itemsOfTypes(types: readonly Schema<'NumAlertsOfType'>[]): MuteItem[] {
  return (
    types
      // An op may have been created without a type: there is no rule for none.
      .filter(({ op_type }) => op_type)
      .map(({ op_type, num_alerts }) => {
        const text = graphText(op_type);
        return {
          ...item(`op_type:${op_type}`, text === op_type ? 'op type' : 'function', text),
          note: countText(num_alerts),
        };
      })
  );
}

function item(rule: string, kind: string, text: string): MuteItem {
  return { rule, kind, text, note: '' };
}
