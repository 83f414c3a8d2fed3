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

/** Which graph execution traces are listed. */
export interface TraceFilter {
  /** Part of a tensor's, op type's or function's name; empty: all. */
  readonly text: string;
  readonly infNanOnly: boolean;
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
}

export const NO_TRACE_FILTER: TraceFilter = { text: '', infNanOnly: false };

export const EMPTY_VIEW: View = {
  run: null,
  event: null,
  alert: null,
  focus: null,
  stickToBottommost: false,
  traceFilter: NO_TRACE_FILTER,
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
