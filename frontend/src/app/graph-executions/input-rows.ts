// The inputs of the selected trace's op at that very call: which rows hold them, and in words why others have none.
// Belongs to the pane and lives as long as it.
import { computed, inject } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { executionIndex, traceIndex, type ExecutionIndex, type TraceIndex } from '../api/indices';
import { readOfRun } from '../state/run-read';
import { graphText } from '../ui/graph-name';
import type { TargetTrace } from './target-trace';

type GraphExecutionInput = Schema<'GraphExecutionInput'>;

/** An input as it is listed below the rows. */
export interface InputText {
  readonly slot: number;
  /** The tensor: "Softmax:0". */
  readonly tensor: string;
  /** What tells it apart: the graph it is of, if another ("of model"), or the argument it is passed as ("passed as probs"). */
  readonly where: string;
  readonly trace: TraceIndex | null;
  readonly execution: ExecutionIndex | null;
  /** Why no row holds its value; empty where one does. */
  readonly reason: string;
}

/** The slots of each trace that holds an input: trace 69 -> [0]. */
export function slotsByTrace(
  inputs: readonly GraphExecutionInput[],
): ReadonlyMap<number, number[]> {
  const slots = new Map<number, number[]>();
  for (const { input_slot, producer } of inputs) {
    const trace = producer.graph_execution_trace_index;
    if (trace !== null) slots.set(trace, [...(slots.get(trace) ?? []), input_slot]);
  }
  return slots;
}

/** @param graphId The graph of the op whose input it is. */
export function inputText(input: GraphExecutionInput, graphId: string | null): InputText {
  const { producer } = input;
  const trace = producer.graph_execution_trace_index;
  const execution = trace === null ? producer.execution_index : null;
  const common = {
    slot: input.input_slot,
    trace: trace === null ? null : traceIndex(trace),
    execution: execution === null ? null : executionIndex(execution),
    reason: producer.reason ?? '',
  };
  if (trace === null && execution === null) {
    return { ...common, tensor: `${input.op_name}:${input.output_slot}`, where: '' };
  }
  if (producer.op_name === null) {
    const maker = producer.op_type ?? 'execution';
    return {
      ...common,
      tensor: `${graphText(maker)}:${producer.execution_output_slot ?? '?'}`,
      where: input.argument_index === null ? '' : `passed as ${input.op_name}`,
    };
  }
  const elsewhere = producer.graph_id !== graphId;
  const graph = graphText(producer.graph_name);
  return {
    ...common,
    tensor: `${producer.op_name}:${producer.output_slot ?? '?'}`,
    where: elsewhere ? `${execution === null ? 'of' : 'in'} ${graph}` : '',
  };
}

/** Must be made in an injection context. */
export class InputRows {
  readonly #client = inject(ApiClient);

  readonly #read = readOfRun({
    question: () => (this.target.exists() ? this.target.selected() : null),
    ask: (run, index, signal) =>
      this.#client.get('/graph_execution/inputs', signal, { run, index }),
    grows: true,
  });
  readonly failure = this.#read.failure;

  /** The selected trace's inputs; null while they are not known. */
  readonly inputs = computed(() => {
    const answer = this.#read.answer();
    return answer?.index === this.target.selected() ? (answer?.inputs ?? null) : null;
  });
  readonly #slots = computed(() => slotsByTrace(this.inputs() ?? []));

  constructor(private readonly target: TargetTrace) {}

  /** "in 0", "in 0, 1"; empty for a trace that holds no input of the selected one. */
  tagOf(trace: number): string {
    const slots = this.#slots().get(trace);
    if (!slots) return '';
    return slots.length > 3 ? `in ${slots.length}×` : `in ${slots.join(', ')}`;
  }

  retry(): void {
    this.#read.retry();
  }
}
