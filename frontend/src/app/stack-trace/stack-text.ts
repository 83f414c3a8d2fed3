// What the pane says of the selected event and of what is missing; pure.
import type { Schema } from '../api/client';
import type { SelectedEvent } from '../state/view';
import { countOf, countText } from '../ui/number-text';

export const NO_EVENT =
  'Select an alert, an execution or an op to see where in the program it was made.';
export const SOURCE_LINE =
  'A source line has no stack of its own: each event that it made has one. Press the count beside the line in Source Code and select an event.';

interface Known {
  readonly execution: Pick<Schema<'Execution'>, 'index' | 'op_type' | 'function_name'> | null;
  readonly trace: Pick<Schema<'GraphExecution'>, 'index' | 'op_name' | 'graph_name'> | null;
  readonly host: string | null;
}

/** "creation of Log in loss_fn · vm", "execution 35, loss_fn · vm" */
export function noteOf(event: SelectedEvent | null, known: Known): string {
  if (event === null || event.kind === 'source') return '';
  return [subjectOf(event, known), known.host].filter(Boolean).join(' · ');
}

function subjectOf(event: Exclude<SelectedEvent, { kind: 'source' }>, known: Known): string {
  switch (event.kind) {
    case 'execution': {
      const execution = known.execution?.index === event.index ? known.execution : null;
      const name = execution && (execution.function_name ?? execution.op_type);
      return `execution ${countText(event.index)}${name ? `, ${name}` : ''}`;
    }
    case 'trace': {
      const trace = known.trace?.index === event.index ? known.trace : null;
      if (!trace) return '';
      return `creation of ${trace.op_name}${trace.graph_name ? ` in ${trace.graph_name}` : ''}`;
    }
    case 'op':
      return `creation of ${event.opName}`;
  }
}

/** Why there is no stack although its frames have ids. */
export function missingText(count: number, stillWriting: boolean): string {
  const none = `None of the ${countOf(count, 'frame')} of this stack is recorded`;
  return stillWriting
    ? `${none} yet. A running program writes its frames later than its events; they appear here by themselves.`
    : `${none}. Frames are written later than events: the program ended before it wrote them, or their file is lost.`;
}
