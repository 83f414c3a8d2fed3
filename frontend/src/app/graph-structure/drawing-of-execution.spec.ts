import { expect, it } from 'vitest';
import { drawExecution, type ExecutionDetail } from './drawing-of-execution';

const NO_MAKER = {
  tensor_id: 7,
  execution_index: null,
  output_slot: null,
  op_type: null,
  function_name: null,
};
const COPY_OF_RAND = { ...NO_MAKER, execution_index: 3, output_slot: 1, op_type: 'Rand' };

function select(inputs: ExecutionDetail['inputs']): ExecutionDetail {
  return {
    execution: {
      index: 5,
      wall_time: 0,
      op_type: 'SelectV2',
      output_tensor_device_ids: null,
      function_name: null,
      function_kind: null,
      num_alerts: 0,
      misses_frames: false,
      host_name: null,
      stack_frame_ids: [],
      tensor_debug_mode: 4,
      graph_id: null,
      input_tensor_ids: null,
      output_tensor_ids: null,
      debug_tensor_values: null,
      unaligned_debug_tensor_values: null,
    },
    mode: 'FULL_HEALTH',
    time_since_start: 0,
    inputs,
    outputs: [],
    num_results: null,
    num_graph_executions: 0,
    first_graph_execution_index: null,
  };
}

it('says which output of its maker an input is', () => {
  const [edge] = drawExecution(select([COPY_OF_RAND])).edges;
  expect(edge?.label).toBe('1 → 0');
});

it('says which inputs come from nothing that was recorded', () => {
  const { edges } = drawExecution(select([NO_MAKER, COPY_OF_RAND, NO_MAKER]));
  expect(edges.map(({ label }) => label)).toEqual(['→ 0, 2', '1 → 1']);
  expect(edges[0]?.words).toBe('input 0 of SelectV2\ninput 2 of SelectV2');
});

it('names the first of many inputs only', () => {
  const [edge] = drawExecution(select(Array.from({ length: 5 }, () => NO_MAKER))).edges;
  expect(edge?.label).toBe('→ 0, 1, +3');
});
