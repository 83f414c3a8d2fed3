// The view as entries of the address, version 1; pure. Links are kept for years: a version once released stays readable.
//
//   v=1  run=<name>  at=execution:35 | trace:71 | op:<graph id>:<op name> | source:<file index>:<line>
//   alert=<index>  file=<path>  host=<host>  line=<line>  stick=1  filter=<text>  infnan=1
//
// What is not understood is left out, never an error. An entry that equals its default is not written.
import { alertIndex, executionIndex, fileIndex, traceIndex } from '../api/indices';
import { EMPTY_VIEW, type SelectedEvent, type SourcePosition, type View } from './view';

const VERSION = '1';

/** Every key of the view with its text, or null for "not in the address". */
export function encodeView(view: View): Record<string, string | null> {
  const { event, focus, traceFilter } = view;
  return {
    v: view.run === null ? null : VERSION,
    run: view.run,
    at: event && encodeEvent(event),
    alert: view.alert === null ? null : String(view.alert),
    host: focus?.hostName ?? null,
    file: focus?.filePath ?? null,
    line: focus ? String(focus.lineno) : null,
    stick: view.stickToBottommost ? '1' : null,
    filter: traceFilter.text || null,
    infnan: traceFilter.infNanOnly ? '1' : null,
  };
}

export function decodeView(entries: ReadonlyMap<string, string>): View {
  const run = entries.get('run') ?? null;
  if ((entries.get('v') ?? VERSION) !== VERSION) return { ...EMPTY_VIEW, run };
  const alert = count(entries.get('alert'));
  return {
    run,
    event: decodeEvent(entries.get('at') ?? ''),
    alert: alert === null ? null : alertIndex(alert),
    focus: decodeFocus(entries),
    stickToBottommost: entries.get('stick') === '1',
    traceFilter: {
      text: entries.get('filter') ?? '',
      infNanOnly: entries.get('infnan') === '1',
    },
  };
}

function encodeEvent(event: SelectedEvent): string {
  switch (event.kind) {
    case 'execution':
    case 'trace':
      return `${event.kind}:${event.index}`;
    case 'op':
      return `op:${event.graphId}:${event.opName}`;
    case 'source':
      return `source:${event.fileIndex}:${event.lineno}`;
  }
}

function decodeEvent(text: string): SelectedEvent | null {
  const [kind = '', first = '', ...rest] = text.split(':');
  // An op's name may hold a colon; a graph's id does not.
  const second = rest.join(':');
  switch (kind) {
    case 'execution': {
      const index = second ? null : count(first);
      return index === null ? null : { kind, index: executionIndex(index) };
    }
    case 'trace': {
      const index = second ? null : count(first);
      return index === null ? null : { kind, index: traceIndex(index) };
    }
    case 'op':
      return first && second ? { kind, graphId: first, opName: second } : null;
    case 'source': {
      const file = count(first);
      const lineno = count(second);
      return file === null || !lineno ? null : { kind, fileIndex: fileIndex(file), lineno };
    }
    default:
      return null;
  }
}

function decodeFocus(entries: ReadonlyMap<string, string>): SourcePosition | null {
  const filePath = entries.get('file');
  const lineno = count(entries.get('line'));
  return filePath && lineno ? { hostName: entries.get('host') ?? null, filePath, lineno } : null;
}

/** A whole number from 0, or null for anything else. */
function count(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
