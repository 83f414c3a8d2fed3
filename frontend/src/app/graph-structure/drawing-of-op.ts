// The drawing of an op: its inputs above, its consumers below, and for an argument of its function who passed the value.
// Pure: answers in, drawing out.
import { executionIndex, traceIndex } from '../api/indices';
import type { SelectedEvent } from '../state/view';
import { graphText } from '../ui/graph-name';
import { countText } from '../ui/number-text';
import { isBad } from '../ui/tensor-health';
import {
  badSigns,
  type Box,
  type Drawing,
  type Edge,
  EMPTY_BOX,
  type ListedOp,
  type Neighborhood,
  type OpNode,
  type Producer,
  type Rest,
  slotsText,
  slotsWords,
} from './drawing';

/** On each side of the focus; where there are more, the most of them are in a list. */
const MOST_BOXES_OF_FOCUS = 5;
const MOST_BOXES_BESIDE_LIST = 3;
/** On each side of a neighbour. */
const MOST_BOXES_OF_NEIGHBOR = 3;
const MOST_BOXES = 60;
const MOST_VALUES = 3;
/** The server's own bound. */
export const MOST_LISTED = 500;

/** Key of an op's box; the same op in another drawing has the same key. */
export function opKey(graphId: string, opName: string): string {
  return `op ${graphId} ${opName}`;
}

/** What a click on an op selects: its value in the call in view, or else the op. */
export function eventOfNode(node: OpNode): SelectedEvent {
  const traced = node.outputs.filter((output) => output.graph_execution_trace_index !== null);
  const shown = traced.find(({ health }) => health && isBad(health)) ?? traced[0];
  return shown
    ? { kind: 'trace', index: traceIndex(shown.graph_execution_trace_index as number) }
    : { kind: 'op', graphId: node.graph_id, opName: node.op_name };
}

export interface OpDrawingOptions {
  /** Neighbourhoods of ops that the drawing of fewer hops shows. */
  readonly further?: readonly Neighborhood[];
  /** Whether a call is in view; else nothing is known of values. */
  readonly inCall?: boolean;
  /** Consumers that were asked for, of each output. */
  readonly limit?: number;
}

export function drawOp(focus: Neighborhood, options: OpDrawingOptions = {}): Drawing {
  return new OpDrawing(focus, options).draw();
}

/** A neighbour, the tensors that join it, and which side it is on. */
interface Neighbor {
  readonly node: OpNode;
  readonly slots: [output: number, input: number][];
}

class OpDrawing {
  readonly #boxes = new Map<string, Box>();
  readonly #rests: Rest[] = [];
  readonly #edges = new Map<string, Edge>();
  readonly #graphNames = new Map<string, string | null>();
  #cut = false;

  get #inCall(): boolean {
    return this.options.inCall ?? true;
  }

  constructor(
    private readonly focus: Neighborhood,
    private readonly options: OpDrawingOptions,
  ) {
    for (const { graph_path } of [focus, ...(options.further ?? [])]) {
      for (const { graph_id, name } of graph_path) this.#graphNames.set(graph_id, name);
    }
  }

  draw(): Drawing {
    const { op } = this.focus;
    const focus = opKey(op.graph_id, op.op_name);
    const inputs = neighborsAbove(this.focus);
    const consumers = neighborsBelow(this.focus);
    const numConsumers = this.focus.outputs.reduce((sum, output) => sum + output.num_consumers, 0);
    const listedConsumers = this.focus.outputs.reduce(
      (sum, output) => sum + output.consumers.length,
      0,
    );
    const numOthers = {
      inputs: this.focus.num_inputs - this.focus.inputs.length,
      consumers: numConsumers - listedConsumers,
    };

    this.#addSide('inputs', inputs, numOthers.inputs);
    this.#addNode(op, 'selected op', true);
    this.#addSide('consumers', consumers, numOthers.consumers);
    for (const hood of this.options.further ?? []) this.#addFurther(hood);

    return {
      focus,
      boxes: [...this.#boxes.values()],
      rests: this.#rests,
      edges: [...this.#edges.values()],
      cut: this.#cut,
    };
  }

  /** One side of the focus: the first as boxes, those with bad values before others, and the rest as a list. */
  #addSide(side: Rest['side'], neighbors: readonly Neighbor[], numUnlisted: number): void {
    const drawn = chosen(
      neighbors,
      neighbors.length + numUnlisted > MOST_BOXES_OF_FOCUS
        ? MOST_BOXES_BESIDE_LIST
        : MOST_BOXES_OF_FOCUS,
    );
    const focus = opKey(this.focus.op.graph_id, this.focus.op.op_name);
    for (const neighbor of neighbors.filter((one) => drawn.has(one))) {
      const key = this.#addNode(neighbor.node, placeText(side, neighbor.slots));
      if (side === 'inputs') this.#addEdge(key, focus, neighbor);
      else this.#addEdge(focus, key, neighbor);
    }
    const others = neighbors.filter((one) => !drawn.has(one));
    const count = others.length + numUnlisted;
    if (!count) return;
    const key = `rest ${side}`;
    this.#rests.push({
      key,
      side,
      count,
      ops: others.map((neighbor) => listed(side, neighbor, this.focus.op)),
      canGrow:
        side === 'consumers' &&
        numUnlisted > 0 &&
        (this.options.limit ?? MOST_LISTED) < MOST_LISTED,
    });
    const [from, to] = side === 'inputs' ? [key, focus] : [focus, key];
    const bad =
      side === 'inputs'
        ? (others.map(({ node, slots }) => badOfSlots(node, slots)).find(Boolean) ?? '')
        : badOfSlots(
            this.focus.op,
            others.flatMap(({ slots }) => slots),
          );
    this.#edges.set(key, { key, from, to, slots: [], label: '', words: '', bad, argument: false });
  }

  /** The neighbours of a neighbour. */
  #addFurther(hood: Neighborhood): void {
    const { op } = hood;
    const centre = opKey(op.graph_id, op.op_name);
    if (!this.#boxes.has(centre)) return;
    const sides = [
      { side: 'inputs', neighbors: neighborsAbove(hood), all: hood.num_inputs },
      {
        side: 'consumers',
        neighbors: neighborsBelow(hood),
        all: hood.outputs.reduce((sum, output) => sum + output.num_consumers, 0),
      },
    ] as const;
    for (const { side, neighbors, all } of sides) {
      const known = neighbors.filter(({ node }) =>
        this.#boxes.has(opKey(node.graph_id, node.op_name)),
      );
      const fresh = neighbors.filter((one) => !known.includes(one));
      const wanted = chosen(fresh, MOST_BOXES_OF_NEIGHBOR);
      const drawn = fresh.filter((one) => wanted.has(one)).filter(() => this.#hasRoom());
      for (const neighbor of [...known, ...drawn]) {
        const place = `${placeText(side, neighbor.slots)} of ${op.op_name}`;
        const key = this.#addNode(neighbor.node, place);
        if (side === 'inputs') this.#addEdge(key, centre, neighbor);
        else this.#addEdge(centre, key, neighbor);
      }
      const numDrawn = [...known, ...drawn].reduce((sum, { slots }) => sum + slots.length, 0);
      // The focus lists its own.
      if (all > numDrawn && drawn.length === MOST_BOXES_OF_NEIGHBOR) {
        this.#addMore(side, centre, op, all - numDrawn);
      }
    }
  }

  #hasRoom(): boolean {
    if (this.#boxes.size < MOST_BOXES) return true;
    this.#cut = true;
    return false;
  }

  #addMore(side: Rest['side'], centre: string, op: OpNode, count: number): void {
    const key = `more ${side} ${centre}`;
    this.#boxes.set(key, {
      ...EMPTY_BOX,
      key,
      kind: 'more',
      place: `${side} of ${op.op_name}`,
      name: `+${countText(count)} more`,
      event: eventOfNode(op),
    });
    const [from, to] = side === 'inputs' ? [key, centre] : [centre, key];
    this.#edges.set(key, {
      key,
      from,
      to,
      slots: [],
      label: '',
      words: '',
      bad: '',
      argument: false,
    });
  }

  /** Adds an op, unless it is there with as much known of it, and who passed its value if it is an argument. */
  #addNode(node: OpNode, place: string, focused = false): string {
    const key = opKey(node.graph_id, node.op_name);
    const present = this.#boxes.get(key);
    const argument = node.argument;
    if (argument && !present) this.#addProducer(node, key, argument);
    const box = this.#boxOf(node, key, place, focused);
    if (!present) this.#boxes.set(key, box);
    else if (!present.values.length && box.values.length) {
      this.#boxes.set(key, { ...box, place: present.place, focused: present.focused });
    }
    return key;
  }

  #boxOf(node: OpNode, key: string, place: string, focused: boolean): Box {
    const values = node.outputs.flatMap(({ output_slot, health }) =>
      health ? [{ slot: node.num_outputs > 1 ? output_slot : null, health }] : [],
    );
    values.sort((a, b) => Number(isBad(b.health) ?? false) - Number(isBad(a.health) ?? false));
    return {
      ...EMPTY_BOX,
      key,
      place,
      graphName: this.#graphNameOf(node.graph_id),
      name: node.op_name,
      type: node.op_type,
      remark: this.#remarkOf(node, values.length > 0),
      lost: node.op_type === null && !isCallInside(node),
      values: values.slice(0, MOST_VALUES).sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0)),
      otherOutputs:
        node.num_outputs > 1 ? node.num_outputs - Math.min(values.length, MOST_VALUES) : 0,
      focused,
      argument: node.argument !== null,
      op: { graphId: node.graph_id, opName: node.op_name },
      event: eventOfNode(node),
    };
  }

  #remarkOf(node: OpNode, hasValues: boolean): string {
    if (node.argument) return `argument ${node.argument.argument_index} · value from caller`;
    if (node.op_type === null) {
      return isCallInside(node)
        ? 'call inside the graph, not recorded'
        : 'the creation of this op is not on disk';
    }
    if (hasValues) return '';
    if (node.outputs.some((output) => output.graph_execution_trace_index !== null)) {
      return 'values are not recorded';
    }
    if (node.num_outputs === 0) return 'no output';
    return this.#inCall ? 'no trace in this call' : '';
  }

  /** The name of a graph that is not the focus's. */
  #graphNameOf(graphId: string): string | null {
    if (graphId === this.focus.op.graph_id) return null;
    return graphText(this.#graphNames.get(graphId) ?? null);
  }

  /** Joins an argument to what the caller passed. */
  #addProducer(
    node: OpNode,
    argumentKey: string,
    argument: { readonly argument_index: number; readonly producer: Producer },
  ): void {
    const { producer } = argument;
    const box = this.#producerBox(producer, argumentKey, node, argument.argument_index);
    if (!this.#boxes.has(box.key)) this.#boxes.set(box.key, box);
    const key = `argument ${argumentKey}`;
    this.#edges.set(key, {
      key,
      from: box.key,
      to: argumentKey,
      slots: [],
      label: `argument ${node.op_name.split('/').at(-1)}`,
      words: `the value of argument ${argument.argument_index}, ${node.op_name}, as the caller passed it`,
      bad: badSigns(producer.health),
      argument: true,
    });
  }

  #producerBox(producer: Producer, argumentKey: string, node: OpNode, argument: number): Box {
    const place = `passed as argument ${argument}`;
    const { health } = producer;
    const own = producer.op_name && opKey(producer.graph_id ?? '', producer.op_name);
    // Where the way back ends at the argument itself, nobody is known to have passed it.
    if (own && own !== argumentKey && producer.graph_id !== null && producer.op_name !== null) {
      // An iteration of a loop gets what the same op made in the one before.
      const before = producer.graph_id === node.graph_id;
      const trace = producer.graph_execution_trace_index;
      return {
        ...EMPTY_BOX,
        key: before ? `${own} before` : own,
        place,
        graphName: before ? 'iteration before' : graphText(producer.graph_name),
        name: producer.op_name,
        type: producer.op_type,
        remark: health ? '' : trace === null ? 'no trace in this call' : 'values are not recorded',
        values: health ? [{ slot: producer.output_slot || null, health }] : [],
        op: before ? null : { graphId: producer.graph_id, opName: producer.op_name },
        event:
          trace === null
            ? { kind: 'op', graphId: producer.graph_id, opName: producer.op_name }
            : { kind: 'trace', index: traceIndex(trace) },
      };
    }
    const execution = producer.execution_index;
    if (execution !== null) {
      const slot = producer.execution_output_slot;
      const type = producer.op_type && graphText(producer.op_type);
      return {
        ...EMPTY_BOX,
        key: `execution ${execution}`,
        kind: 'execution',
        place,
        name: `execution #${execution}`,
        type,
        remark: slot === null ? '' : `output ${slot}`,
        values: health ? [{ slot: null, health }] : [],
        event: { kind: 'execution', index: executionIndex(execution) },
      };
    }
    return {
      ...EMPTY_BOX,
      key: `unknown ${argumentKey}`,
      kind: 'unknown',
      place,
      name: 'Producer not known',
      remark: this.#inCall
        ? (producer.reason ?? 'it was not recorded')
        : 'Select a graph execution to see who passed the value.',
    };
  }

  #addEdge(from: string, to: string, { node, slots }: Neighbor): void {
    const key = `${from} → ${to}`;
    if (this.#edges.has(key)) return;
    const source = opKey(node.graph_id, node.op_name) === from ? node : this.#nodeOf(from);
    this.#edges.set(key, {
      key,
      from,
      to,
      slots,
      label: slotsText(slots),
      words: slotsWords(slots, this.#boxes.get(from)?.name ?? '', this.#boxes.get(to)?.name ?? ''),
      bad: source ? badOfSlots(source, slots) : '',
      argument: false,
    });
  }

  #nodeOf(key: string): OpNode | undefined {
    return [this.focus, ...(this.options.further ?? [])].find(
      ({ op }) => opKey(op.graph_id, op.op_name) === key,
    )?.op;
  }
}

/** TensorFlow records no call of a function from within a graph. */
function isCallInside({ op_name }: OpNode): boolean {
  return /PartitionedCall/.test(op_name);
}

/** Ops that feed the op, one entry each, in the order of input slots. */
function neighborsAbove(hood: Neighborhood): Neighbor[] {
  return grouped(
    hood.inputs.map(({ node, output_slot, input_slot }) => ({
      node,
      slots: [[output_slot, input_slot]],
    })),
  );
}

/** Ops that the op feeds, one entry each, in the order of output slots. */
function neighborsBelow(hood: Neighborhood): Neighbor[] {
  return grouped(
    hood.outputs.flatMap(({ output_slot, consumers }) =>
      consumers.map(({ node, input_slot }): Neighbor => ({
        node,
        slots: [[output_slot, input_slot]],
      })),
    ),
  );
}

function grouped(neighbors: readonly Neighbor[]): Neighbor[] {
  const byKey = new Map<string, Neighbor>();
  for (const { node, slots } of neighbors) {
    const key = opKey(node.graph_id, node.op_name);
    const present = byKey.get(key);
    if (present) present.slots.push(...slots);
    else byKey.set(key, { node, slots: [...slots] });
  }
  return [...byKey.values()];
}

/** At most so many; those with bad values first. */
function chosen(neighbors: readonly Neighbor[], most: number): ReadonlySet<Neighbor> {
  if (neighbors.length <= most) return new Set(neighbors);
  const bad = (one: Neighbor) => one.node.outputs.some(({ health }) => health && isBad(health));
  return new Set(
    [...neighbors.filter(bad), ...neighbors.filter((one) => !bad(one))].slice(0, most),
  );
}

/** What is bad of the tensors that leave a node through these output slots. */
function badOfSlots(node: OpNode, slots: Edge['slots']): string {
  const used = new Set(slots.map(([output]) => output));
  const bad = node.outputs.filter(({ output_slot }) => used.has(output_slot));
  return bad.map(({ health }) => badSigns(health)).find(Boolean) ?? '';
}

function placeText(side: Rest['side'], slots: Neighbor['slots']): string {
  if (side === 'inputs') {
    return `input${slots.length > 1 ? 's' : ''} ${slots.map(([, input]) => input).join(', ')}`;
  }
  return `consumer of output ${[...new Set(slots.map(([output]) => output))].join(', ')}`;
}

function listed(side: Rest['side'], { node, slots }: Neighbor, focus: OpNode): ListedOp {
  const value = side === 'inputs' ? slots[0]?.[0] : undefined;
  const output =
    node.outputs.find(({ health }) => health && isBad(health)) ??
    node.outputs.find(({ output_slot }) => output_slot === (value ?? 0));
  return {
    key: opKey(node.graph_id, node.op_name),
    name: node.op_name,
    type: node.op_type,
    slots:
      side === 'consumers' && focus.num_outputs < 2
        ? `→ ${slots.map(([, input]) => input).join(', ')}`
        : slotsText(slots),
    health: output?.health ?? null,
    event: eventOfNode(node),
  };
}
