import { describe, expect, it } from 'vitest';
import { type Drawing, isBadBox, type Neighborhood, type OpNode, type Producer } from './drawing';
import { drawOp, opKey } from './drawing-of-op';
import { boxWords } from './op-box';

const HEALTHY = {
  dtype: 'float32',
  rank: 2,
  shape: null,
  size: 240,
  num_neg_inf: 0,
  num_pos_inf: 0,
  num_nan: 0,
  num_negative: 0,
  num_zero: 24,
  num_positive: 216,
  has_inf_nan: false,
};
const NAN = { ...HEALTHY, num_nan: 19, has_inf_nan: true };

type Health = OpNode['outputs'][number]['health'];

function node(name: string, type: string | null, health: Health = null, trace = 71): OpNode {
  return {
    graph_id: 'loss_fn',
    op_name: name,
    op_type: type,
    num_outputs: 1,
    outputs: [{ output_slot: 0, graph_execution_trace_index: health && trace, health }],
    argument: null,
  };
}

const NO_PRODUCER: Producer = {
  graph_id: null,
  graph_name: null,
  op_name: null,
  op_type: null,
  output_slot: null,
  graph_execution_trace_index: null,
  execution_index: null,
  execution_output_slot: null,
  health: null,
  reason: 'the caller was not recorded',
};

function argument(name: string, index: number, producer: Partial<Producer>): OpNode {
  return {
    ...node(name, 'Placeholder'),
    argument: { argument_index: index, producer: { ...NO_PRODUCER, ...producer } },
  };
}

/** An op with its inputs, and the consumers of its only output. */
function around(op: OpNode, inputs: OpNode[], consumers: OpNode[], total?: number): Neighborhood {
  return {
    graph_path: [
      { graph_id: 'outer', name: null, num_graph_executions: 3 },
      { graph_id: 'loss_fn', name: 'loss_fn', num_graph_executions: 3 },
    ],
    op,
    num_inputs: inputs.length,
    inputs: inputs.map((input, slot) => ({ input_slot: slot, output_slot: 0, node: input })),
    outputs: [
      {
        output_slot: 0,
        num_consumers: total ?? consumers.length,
        consumers: consumers.map((consumer) => ({ input_slot: 1, node: consumer })),
      },
    ],
    execution_index: 52,
    num_graph_executions: 5,
    num_alerts: 3,
    first_graph_execution_index: 11,
  };
}

const softmax = {
  graph_id: 'model',
  graph_name: 'model',
  op_name: 'Softmax',
  op_type: 'Softmax',
  output_slot: 0,
  graph_execution_trace_index: 69,
  execution_index: 51,
  execution_output_slot: 0,
  health: HEALTHY,
  reason: null,
};

function box(drawing: Drawing, name: string) {
  const found = drawing.boxes.find((one) => one.name === name);
  if (!found) throw new Error(`no box ${name} among ${drawing.boxes.map((one) => one.name)}`);
  return found;
}

function edges(drawing: Drawing): string[] {
  const name = (key: string) => drawing.boxes.find((one) => one.key === key)?.name ?? key;
  return drawing.edges.map(
    ({ from, to, label, bad }) => `${name(from)} -> ${name(to)}: ${label}${bad && ` ${bad}`}`,
  );
}

describe('drawOp', () => {
  const log = node('Log', 'Log', NAN);

  it('joins an argument to what the caller passed, the op to its consumer, and marks the bad edge', () => {
    const drawing = drawOp(
      around(log, [argument('probs', 0, softmax)], [node('mul', 'Mul', NAN, 72)]),
    );
    expect(edges(drawing)).toEqual([
      'Softmax -> probs: argument probs',
      'probs -> Log: 0 → 0',
      'Log -> mul: 0 → 1 NaN',
    ]);
    expect(box(drawing, 'Softmax').graphName).toBe('model');
    expect(box(drawing, 'Softmax').event).toEqual({ kind: 'trace', index: 69 });
    expect(boxWords(box(drawing, 'probs'))).toBe(
      'input 0: probs, Placeholder, argument 0 · value from caller',
    );
    expect(boxWords(box(drawing, 'mul'))).toContain('consumer of output 0: mul, float32, 2D');
    expect(isBadBox(box(drawing, 'mul'))).toBe(true);
    expect(drawing.focus).toBe(box(drawing, 'Log').key);
  });

  it('draws the eager execution that made an argument', () => {
    const made = { execution_index: 33, execution_output_slot: 0, op_type: 'OneHot', reason: null };
    const drawing = drawOp(around(log, [argument('labels', 1, made)], []));
    expect(boxWords(box(drawing, 'execution #33'))).toBe(
      'passed as argument 1: execution #33, OneHot, output 0',
    );
    expect(box(drawing, 'execution #33').event).toEqual({ kind: 'execution', index: 33 });
  });

  it('says why the producer of an argument is not known', () => {
    const drawing = drawOp(around(log, [argument('x', 0, {})], []));
    const unknown = box(drawing, 'Producer not known');
    expect(unknown.remark).toBe('the caller was not recorded');
    expect(unknown.event).toBeNull();
  });

  it('selects the value in the call where there is one, and else the op', () => {
    const drawing = drawOp(around(log, [node('Const', 'Const')], [node('mul', 'Mul', NAN, 72)]));
    expect(box(drawing, 'mul').event).toEqual({ kind: 'trace', index: 72 });
    expect(box(drawing, 'Const').event).toEqual({
      kind: 'op',
      graphId: 'loss_fn',
      opName: 'Const',
    });
    expect(box(drawing, 'Const').remark).toBe('no trace in this call');
  });

  it('tells calls within the graph from other ops that were not recorded', () => {
    const call = node('StatefulPartitionedCall_1', null);
    const drawing = drawOp(around(log, [call, node('lost', null)], []));
    expect(box(drawing, 'StatefulPartitionedCall_1').remark).toBe(
      'call inside the graph, not recorded',
    );
    expect(box(drawing, 'lost').remark).toBe('the creation of this op is not on disk');
    expect(box(drawing, 'lost').lost).toBe(true);
  });

  it('joins an op that is an input twice by one edge', () => {
    const x = node('x', 'Const');
    expect(edges(drawOp(around(node('mul', 'Mul', HEALTHY), [x, x], [])))).toEqual([
      'x -> mul: 0 → 0, 0 → 1',
    ]);
  });

  it('lists what are too many for boxes, and draws those that went bad', () => {
    const consumers = Array.from({ length: 50 }, (_, index) =>
      node(`consumer_${index}`, 'Mul', index === 30 ? NAN : HEALTHY),
    );
    const hub = node('hub', 'Identity', HEALTHY);
    const drawing = drawOp(around(hub, [], consumers, 3000), { limit: 50 });
    expect(drawing.boxes.map(({ name }) => name)).toEqual([
      'hub',
      'consumer_0',
      'consumer_1',
      'consumer_30',
    ]);
    const [rest] = drawing.rests;
    expect(rest?.count).toBe(2997);
    expect(rest?.ops.length).toBe(47);
    expect(rest?.canGrow).toBe(true);
    expect(drawOp(around(hub, [], consumers, 3000), { limit: 500 }).rests[0]?.canGrow).toBe(false);
  });

  it('draws the neighbours of neighbours where they are known', () => {
    const mul = node('mul', 'Mul', NAN, 72);
    const further = [around(mul, [log, node('Neg', 'Neg', HEALTHY)], [node('Mean', 'Mean', NAN)])];
    const drawing = drawOp(around(log, [], [mul]), { further });
    expect(edges(drawing)).toEqual([
      'Log -> mul: 0 → 1 NaN',
      'Neg -> mul: 0 → 1',
      'mul -> Mean: 0 → 1 NaN',
    ]);
    expect(box(drawing, 'Neg').place).toBe('input 1 of mul');
  });

  it('keeps an iteration of a loop apart from the one before', () => {
    const before = { ...softmax, graph_id: 'loss_fn', op_name: 'add' };
    const add = node('add', 'AddV2', HEALTHY, 80);
    const drawing = drawOp(around(add, [argument('x', 0, before)], []));
    expect(drawing.boxes.map(({ graphName, name }) => [graphName, name])).toEqual([
      ['iteration before', 'add'],
      [null, 'x'],
      [null, 'add'],
    ]);
    expect(drawing.focus).toBe(opKey('loss_fn', 'add'));
  });

  it('shows the values of a few outputs, the bad ones among them, each with its slot', () => {
    const outputs = Array.from({ length: 8 }, (_, slot) => ({
      output_slot: slot,
      graph_execution_trace_index: slot,
      health: slot === 6 ? NAN : HEALTHY,
    }));
    const unpack = { ...node('Unpack', 'Unpack'), num_outputs: 8, outputs };
    const drawn = box(drawOp(around(unpack, [], [])), 'Unpack');
    expect(drawn.values.map(({ slot }) => slot)).toEqual([0, 1, 6]);
    expect(drawn.otherOutputs).toBe(5);
    expect(drawn.event).toEqual({ kind: 'trace', index: 6 });
  });
});
