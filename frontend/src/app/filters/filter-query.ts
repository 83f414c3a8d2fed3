// Filters as the routes take them; parts that let everything pass are left out. Pure.
import type { Query } from '../api/client';
import type { EventFilter, TraceFilter } from '../state/view';

type Filters<Parameters> = Omit<Exclude<Parameters, undefined>, 'run' | 'begin' | 'end'>;
export type ExecutionFilterQuery = Filters<Query<'/execution/digests'>>;
export type TraceFilterQuery = Filters<Query<'/graph_execution/rows'>>;

/** Equal filters are equal as JSON. */
export function executionFilterQuery(filter: EventFilter): ExecutionFilterQuery {
  const text = filter.text.trim();
  return {
    ...(text && { text, ...(filter.regex && { regex: 1 }) }),
    ...(filter.infNanOnly && { inf_nan: 1 }),
    ...(filter.allZeroOnly && { all_zero: 1 }),
    ...(filter.dtype !== null && { dtype: filter.dtype }),
    ...(filter.device !== null && { device: filter.device }),
    ...(filter.graphId !== null && { graph_id: filter.graphId }),
    ...(filter.beginTime !== null && { begin_time: filter.beginTime }),
    ...(filter.endTime !== null && { end_time: filter.endTime }),
  };
}

/** The passes of one op are never collapsed: they are what is to be seen. */
export function traceFilterQuery(filter: TraceFilter, collapsesLoops: boolean): TraceFilterQuery {
  const { opName, call } = filter;
  return {
    ...executionFilterQuery(filter),
    ...(opName !== null && { op_name: opName }),
    ...(call !== null && { execution_index: call }),
    ...(collapsesLoops && opName === null && { collapse: 1 }),
  };
}
