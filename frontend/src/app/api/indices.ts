// Positions in a run's tables, branded so that an execution's index cannot be passed for a trace's.

declare const table: unique symbol;
type IndexIn<Table extends string> = number & { readonly [table]: Table };

/** Position of an execution in /execution/digests. */
export type ExecutionIndex = IndexIn<'executions'>;
/** Position of a graph execution trace in /graph_execution/digests without a filter. */
export type TraceIndex = IndexIn<'graph execution traces'>;
/** Position of an alert among the alerts of all kinds. */
export type AlertIndex = IndexIn<'alerts'>;
/** Position of a source file in /source_files/list. */
export type FileIndex = IndexIn<'source files'>;

export const executionIndex = (index: number): ExecutionIndex => index as ExecutionIndex;
export const traceIndex = (index: number): TraceIndex => index as TraceIndex;
export const alertIndex = (index: number): AlertIndex => index as AlertIndex;
export const fileIndex = (index: number): FileIndex => index as FileIndex;
