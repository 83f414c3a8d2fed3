// The view as entries of the address, version 1; pure. Links are kept for years: a version once released stays readable.
//
//   v=1  run=<name>  at=execution:35 | trace:71 | op:<graph id>:<op name> | source:<file index>:<line>
//   alert=<index>  file=<path>  host=<host>  line=<line>  stick=1  collapse=1
//   filter=<text>  regex=1  infnan=1  zero=1  dtype=float32  device=<name>  graph=<id>  op=<name>  call=<index>
//   from=<seconds since 1970>  to=<seconds since 1970>                               of graph executions
//   mute=<rule>[newline <rule>]...                                                   of alerts, see mute-rules.ts; empty: none
//   xfilter  xregex  xinfnan  xzero  xdtype  xdevice  xgraph  xfrom  xto             the same of executions
//
// What is not understood is left out, never an error. An entry that equals its default is not written.
import { alertIndex, executionIndex, fileIndex, traceIndex } from '../api/indices';
import {
  EMPTY_VIEW,
  type EventFilter,
  type SelectedEvent,
  type SourcePosition,
  type View,
} from './view';

const VERSION = '1';
/** Before the keys of the executions' filter. */
const OF_EXECUTIONS = 'x';

/** Every key of the view with its text, or null for "not in the address". */
export function encodeView(view: View): Record<string, string | null> {
  const { event, focus, traceFilter, executionFilter } = view;
  return {
    v: view.run === null ? null : VERSION,
    run: view.run,
    at: event && encodeEvent(event),
    alert: view.alert === null ? null : String(view.alert),
    host: focus?.hostName ?? null,
    file: focus?.filePath ?? null,
    line: focus ? String(focus.lineno) : null,
    stick: view.stickToBottommost ? '1' : null,
    ...encodeFilter(traceFilter, ''),
    op: traceFilter.opName,
    call: traceFilter.call === null ? null : String(traceFilter.call),
    ...encodeFilter(executionFilter, OF_EXECUTIONS),
    collapse: view.collapsesLoops ? '1' : null,
    mute: view.mutes,
  };
}

export function decodeView(entries: ReadonlyMap<string, string>): View {
  const run = entries.get('run') ?? null;
  if ((entries.get('v') ?? VERSION) !== VERSION) return { ...EMPTY_VIEW, run };
  const alert = count(entries.get('alert'));
  const call = count(entries.get('call'));
  const traces = decodeFilter(entries, '');
  return {
    run,
    event: decodeEvent(entries.get('at') ?? ''),
    alert: alert === null ? null : alertIndex(alert),
    focus: decodeFocus(entries),
    stickToBottommost: entries.get('stick') === '1',
    traceFilter: {
      ...traces,
      // A name alone names no op.
      opName: traces.graphId === null ? null : entries.get('op') || null,
      call: call === null ? null : executionIndex(call),
    },
    executionFilter: decodeFilter(entries, OF_EXECUTIONS),
    collapsesLoops: entries.get('collapse') === '1',
    mutes: entries.get('mute') ?? null,
  };
}

function encodeFilter(filter: EventFilter, prefix: string): Record<string, string | null> {
  return {
    [prefix + 'filter']: filter.text || null,
    [prefix + 'regex']: filter.regex ? '1' : null,
    [prefix + 'infnan']: filter.infNanOnly ? '1' : null,
    [prefix + 'zero']: filter.allZeroOnly ? '1' : null,
    [prefix + 'dtype']: filter.dtype,
    [prefix + 'device']: filter.device,
    [prefix + 'graph']: filter.graphId,
    [prefix + 'from']: filter.beginTime === null ? null : String(filter.beginTime),
    [prefix + 'to']: filter.endTime === null ? null : String(filter.endTime),
  };
}

function decodeFilter(entries: ReadonlyMap<string, string>, prefix: string): EventFilter {
  const entry = (key: string) => entries.get(prefix + key);
  return {
    text: entry('filter') ?? '',
    regex: entry('regex') === '1',
    infNanOnly: entry('infnan') === '1',
    allZeroOnly: entry('zero') === '1',
    dtype: entry('dtype') || null,
    device: entry('device') || null,
    graphId: entry('graph') || null,
    beginTime: seconds(entry('from')),
    endTime: seconds(entry('to')),
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

/** A time in seconds, or null for anything else. */
function seconds(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : null;
}
