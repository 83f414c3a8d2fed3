import { describe, expect, it } from 'vitest';
import { headingText } from './heading-text';

const call = (graph: string | null, index: number | null, opType: string | null) =>
  headingText({
    graph_id: 'g',
    graph_name: graph,
    execution_index: index,
    execution_op_type: opType,
    execution_function_name: null,
  });

describe('headingText', () => {
  it('names the call of the graph itself', () => {
    expect(call('loss_fn', 35, '__forward_loss_fn_305')).toEqual({
      graph: 'loss_fn',
      relation: '',
      call: 35,
      of: '',
    });
    expect(call('__backward_loss_fn_284', 36, '__inference___backward_loss_fn_284_306').of).toBe(
      '',
    );
  });

  it('tells the called function from the graph inside it', () => {
    expect(call('dense_layer', 34, '__forward_model_223')).toMatchObject({
      relation: 'inside',
      call: 34,
      of: 'model',
    });
    expect(call('__backward_model_1', 34, '__forward_model_223').relation).toBe('inside');
    expect(call('__backward_dense_layer_127', 37, '__inference___backward_model_105_224')).toEqual({
      graph: 'backward dense_layer',
      relation: 'inside',
      call: 37,
      of: 'backward model',
    });
  });

  it('says where there is no call, or where it is not known', () => {
    expect(call('Dataset_map_parse', null, null).relation).toBe('not part of a call');
    expect(call(null, null, null)).toMatchObject({
      graph: 'session',
      relation: 'run by a TF1 session',
    });
    expect(call('dense_layer', 34, null).relation).toBe('in');
  });
});
