import { describe, expect, it } from 'vitest';
import { inputText, slotsByTrace } from './input-rows';

const nowhere = {
  graph_id: null,
  graph_name: null,
  op_name: null,
  op_type: null,
  output_slot: null,
  graph_execution_trace_index: null,
  execution_index: null,
  execution_output_slot: null,
  health: null,
  reason: null,
};

const softmax = {
  ...nowhere,
  graph_id: 'model id',
  graph_name: 'model',
  op_name: 'Softmax',
  op_type: 'Softmax',
  output_slot: 0,
  graph_execution_trace_index: 69,
  execution_index: 51,
  execution_output_slot: 0,
};

function input(
  producer: typeof nowhere | typeof softmax,
  slot = 0,
  argument: number | null = null,
) {
  return {
    input_slot: slot,
    op_name: 'probs',
    op_type: 'Placeholder',
    output_slot: 0,
    argument_index: argument,
    producer,
  };
}

describe('the inputs of an op', () => {
  it('are the rows that hold them, in the caller too', () => {
    expect(inputText(input(softmax, 0, 0), 'loss_fn id')).toEqual({
      slot: 0,
      tensor: 'Softmax:0',
      where: 'of model',
      trace: 69,
      execution: null,
      reason: '',
    });
    expect(inputText(input(softmax), 'model id').where).toBe('');
  });

  it('are the executions that made them', () => {
    const oneHot = {
      ...nowhere,
      op_type: 'OneHot',
      execution_index: 33,
      execution_output_slot: 0,
    } as unknown as typeof nowhere;
    expect(inputText(input(oneHot, 1, 0), 'loss_fn id')).toMatchObject({
      tensor: 'OneHot:0',
      where: 'passed as probs',
      trace: null,
      execution: 33,
    });
    const untraced = { ...softmax, graph_execution_trace_index: null } as unknown as typeof softmax;
    expect(inputText(input(untraced), 'loss_fn id')).toMatchObject({
      tensor: 'Softmax:0',
      where: 'in model',
      execution: 51,
    });
  });

  it('say why they are nowhere', () => {
    const lost = { ...nowhere, reason: 'Nobody wrote it down.' } as unknown as typeof nowhere;
    expect(inputText(input(lost), null)).toMatchObject({
      tensor: 'probs:0',
      trace: null,
      execution: null,
      reason: 'Nobody wrote it down.',
    });
  });

  it('may share a row', () => {
    const slots = slotsByTrace([input(softmax, 0), input(nowhere, 1), input(softmax, 2)]);
    expect([...slots]).toEqual([[69, [0, 2]]]);
  });
});
