// What one moment of the page shows: the value that Selection holds and that the address spells.
import type { AlertIndex, ExecutionIndex, FileIndex, TraceIndex } from '../api/indices';

/** The one selected thing. Indices refer to the tables of the view's run. */
export type SelectedEvent =
  | { readonly kind: 'execution'; readonly index: ExecutionIndex }
  | { readonly kind: 'trace'; readonly index: TraceIndex }
  | { readonly kind: 'op'; readonly graphId: string; readonly opName: string }
  | { readonly kind: 'source'; readonly fileIndex: FileIndex; readonly lineno: number };

/** A line of a source file, as a stack frame names it. */
export interface SourcePosition {
  /** Null where the frame does not tell its host. */
  readonly hostName: string | null;
  readonly filePath: string;
  /** From 1. */
  readonly lineno: number;
}

/** Which events of a list are shown: those that pass every part. */
export interface EventFilter {
  /** Part of a tensor's, op type's or function's name; empty: all. */
  readonly text: string;
  /** Whether the text is a regular expression. */
  readonly regex: boolean;
  readonly infNanOnly: boolean;
  readonly allZeroOnly: boolean;
  readonly dtype: string | null;
  /** A device's full name. */
  readonly device: string | null;
  readonly graphId: string | null;
  /** Seconds since 1970: from here on, and before the end. */
  readonly beginTime: number | null;
  readonly endTime: number | null;
}

/** Which graph execution traces are listed. */
export interface TraceFilter extends EventFilter {
  /** An op of the graph that `graphId` names. */
  readonly opName: string | null;
  /** The execution that the traces belong to. */
  readonly call: ExecutionIndex | null;
}

export interface View {
  /** A run's name, a key of /runs; null until one is chosen. */
  readonly run: string | null;
  readonly event: SelectedEvent | null;
  /** The alert from which the event was reached, if any. */
  readonly alert: AlertIndex | null;
  /** The focused source line; null: whichever the event's innermost user frame is. */
  readonly focus: SourcePosition | null;
  /** Whether another event's stack is focused at the last frame of the focused file. */
  readonly stickToBottommost: boolean;
  readonly traceFilter: TraceFilter;
  readonly executionFilter: EventFilter;
  /** Whether the passes of a loop over one tensor in one call are one row. */
  readonly collapsesLoops: boolean;
  /** Rules of the alerts that are left out, joined (see mute-rules.ts); null where the address names none. */
  readonly mutes: string | null;
}

export const NO_EVENT_FILTER: EventFilter = {
  text: '',
  regex: false,
  infNanOnly: false,
  allZeroOnly: false,
  dtype: null,
  device: null,
  graphId: null,
  beginTime: null,
  endTime: null,
};
export const NO_TRACE_FILTER: TraceFilter = { ...NO_EVENT_FILTER, opName: null, call: null };

export const EMPTY_VIEW: View = {
  run: null,
  event: null,
  alert: null,
  focus: null,
  stickToBottommost: false,
  traceFilter: NO_TRACE_FILTER,
  executionFilter: NO_EVENT_FILTER,
  collapsesLoops: false,
  mutes: null,
};

/** Whether two selected events are the same one. */
export function sameEvent(a: SelectedEvent | null, b: SelectedEvent | null): boolean {
  return a === b || eventKey(a) === eventKey(b);
}

export function samePosition(a: SourcePosition | null, b: SourcePosition | null): boolean {
  if (a === b) return true;
  return (
    !!a && !!b && a.hostName === b.hostName && a.filePath === b.filePath && a.lineno === b.lineno
  );
}

/** Whether two filters have the same parts. */
export function sameFilter<Filter extends EventFilter>(a: Filter, b: Filter): boolean {
  return (Object.keys(a) as (keyof Filter)[]).every((part) => a[part] === b[part]);
}

/** Whether a filter lets everything pass. */
export function passesAll(filter: EventFilter | TraceFilter): boolean {
  const parts = { ...filter, text: filter.text.trim(), regex: false };
  return Object.values(parts).every((part) => !part && part !== 0);
}

/** A recorded file: the same path on another host is another file. */
export type FilePlace = Pick<SourcePosition, 'hostName' | 'filePath'>;

/** Whether two places name one file; where one does not tell its host, the path decides. */
export function sameFile(a: FilePlace, b: FilePlace): boolean {
  const sameHost = a.hostName === b.hostName || a.hostName === null || b.hostName === null;
  return a.filePath === b.filePath && sameHost;
}

function eventKey(event: SelectedEvent | null): string {
  return JSON.stringify(event && Object.entries(event).sort());
}
