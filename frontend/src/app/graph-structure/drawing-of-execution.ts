// The drawing of an eager execution: who made its inputs above it, and for a function call the way into its graph below.
// Pure: an answer in, a drawing out.
import type { Schema } from '../api/client';
import { executionIndex, traceIndex } from '../api/indices';
import { graphText } from '../ui/graph-name';
import { countOf } from '../ui/number-text';
import { isBad } from '../ui/tensor-health';
import {
  type Box,
  type Drawing,
  type Edge,
  EMPTY_BOX,
  inputsText,
  inputsWords,
  slotsText,
  slotsWords,
} from './drawing';

const MOST_INPUTS = 6;
const MOST_VALUES = 4;

export type ExecutionDetail = Schema<'ExecutionDetail'>;

export function executionKey(index: number): string {
  return `execution ${index}`;
}

export function drawExecution(detail: ExecutionDetail): Drawing {
  const focus = executionKey(detail.execution.index);
  const boxes: Box[] = [];
  const edges: Edge[] = [];

  const makers = new Map<string, { box: Box; slots: [number, number][] }>();
  detail.inputs.forEach((input, slot) => {
    const { execution_index } = input;
    const key = execution_index === null ? 'unknown inputs' : executionKey(execution_index);
    const maker = makers.get(key) ?? { box: makerBox(input, key), slots: [] };
    maker.slots.push([input.output_slot ?? 0, slot]);
    makers.set(key, maker);
  });
  const shown = [...makers.values()].slice(0, MOST_INPUTS);
  for (const { box, slots } of shown) {
    boxes.push({ ...box, place: placeOf(slots) });
    edges.push({
      key: `${box.key} → ${focus}`,
      from: box.key,
      to: focus,
      slots,
      ...(box.kind === 'unknown'
        ? { label: inputsText(slots), words: inputsWords(slots, nameOf(detail)) }
        : { label: slotsText(slots), words: slotsWords(slots, box.name, nameOf(detail)) }),
      bad: '',
      argument: false,
    });
  }

  boxes.push(executionBox(detail, focus));
  if (detail.first_graph_execution_index !== null) {
    boxes.push({
      ...EMPTY_BOX,
      key: 'inside',
      kind: 'inside',
      place: 'inside the call',
      name: `Inside ${nameOf(detail)}`,
      remark: `${countOf(detail.num_graph_executions, 'graph execution')}, from #${detail.first_graph_execution_index}`,
      event: { kind: 'trace', index: traceIndex(detail.first_graph_execution_index) },
    });
    edges.push({
      key: 'inside',
      from: focus,
      to: 'inside',
      slots: [],
      label: 'runs',
      words: 'the graph that this call runs',
      bad: '',
      argument: true,
    });
  }
  return { focus, boxes, rests: [], edges, cut: makers.size > shown.length };
}

/** "loss_fn", "MatMul", "backward dense_layer" */
export function nameOf({ execution }: ExecutionDetail): string {
  const { function_name, function_kind, op_type } = execution;
  if (function_name === null) return graphText(op_type);
  return function_kind === 'backward' ? `backward ${function_name}` : function_name;
}

function executionBox(detail: ExecutionDetail, key: string): Box {
  const { execution, outputs } = detail;
  const values = outputs.flatMap(({ output_slot, health }) =>
    health ? [{ slot: outputs.length > 1 ? output_slot : null, health }] : [],
  );
  values.sort((a, b) => Number(isBad(b.health) ?? false) - Number(isBad(a.health) ?? false));
  return {
    ...EMPTY_BOX,
    key,
    kind: 'execution',
    place: 'selected execution',
    name: nameOf(detail),
    type: execution.function_name === null ? `#${execution.index}` : `call #${execution.index}`,
    remark: outputs.length ? (values.length ? '' : 'values are not recorded') : 'no output',
    values: values.slice(0, MOST_VALUES).sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0)),
    otherOutputs: outputs.length > 1 ? outputs.length - Math.min(values.length, MOST_VALUES) : 0,
    focused: true,
    event: { kind: 'execution', index: executionIndex(execution.index) },
  };
}

function makerBox(input: ExecutionDetail['inputs'][number], key: string): Box {
  const { execution_index, op_type, function_name } = input;
  if (execution_index === null) {
    return {
      ...EMPTY_BOX,
      key,
      kind: 'unknown',
      name: 'Not made by a recorded op',
      remark: 'a constant, a variable, or from before the recording',
    };
  }
  return {
    ...EMPTY_BOX,
    key,
    kind: 'execution',
    name: function_name ?? (op_type === null ? 'execution' : graphText(op_type)),
    type: `#${execution_index}`,
    event: { kind: 'execution', index: executionIndex(execution_index) },
  };
}

function placeOf(slots: Edge['slots']): string {
  return `input${slots.length > 1 ? 's' : ''} ${slots.map(([, input]) => input).join(', ')}`;
}
