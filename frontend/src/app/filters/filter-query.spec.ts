import { describe, expect, it } from 'vitest';
import { executionIndex } from '../api/indices';
import { NO_TRACE_FILTER } from '../state/view';
import { traceFilterQuery } from './filter-query';

describe('the query of a filter', () => {
  it('has only what is filtered by', () => {
    expect(traceFilterQuery(NO_TRACE_FILTER, false)).toEqual({});
    expect(traceFilterQuery({ ...NO_TRACE_FILTER, text: '  ', regex: true }, false)).toEqual({});
    const filter = { ...NO_TRACE_FILTER, text: 'Log', call: executionIndex(0), beginTime: 0 };
    expect(traceFilterQuery(filter, true)).toEqual({
      text: 'Log',
      execution_index: 0,
      begin_time: 0,
      collapse: 1,
    });
  });

  it('does not collapse the passes of one op', () => {
    const filter = { ...NO_TRACE_FILTER, graphId: 'g', opName: 'Log' };
    expect(traceFilterQuery(filter, true)).toEqual({ graph_id: 'g', op_name: 'Log' });
  });
});
