// What a heading says of the call to which the traces below it belong. Pure.
import type { Schema } from '../api/client';
import { executionIndex, type ExecutionIndex } from '../api/indices';
import { graphText, parseGraphName } from '../ui/graph-name';

type CallHeader = Schema<'CallHeader'>;

export interface HeadingText {
  /** The graph: "loss_fn", "backward dense_layer", "session". */
  readonly graph: string;
  /** Before the link to the call: "", "inside", or "in" where the called function is not known; the whole text without a call. */
  readonly relation: string;
  readonly call: ExecutionIndex | null;
  /** After the link: the called function, where it is another one. */
  readonly of: string;
}

/** "loss_fn — call 35", "dense_layer — inside call 34 of model", "Dataset_map_parse — not part of a call". */
export function headingText(header: CallHeader): HeadingText {
  const graph = graphText(header.graph_name);
  if (header.execution_index === null) {
    const relation = header.graph_name === null ? 'run by a TF1 session' : 'not part of a call';
    return { graph, relation, call: null, of: '' };
  }
  const call = executionIndex(header.execution_index);
  const called = header.execution_op_type;
  if (called === null) return { graph, relation: 'in', call, of: '' };
  const function_ = parseGraphName(called);
  const own = parseGraphName(header.graph_name ?? '');
  const same = own.functionName === function_.functionName && own.backward === function_.backward;
  return same
    ? { graph, relation: '', call, of: '' }
    : { graph, relation: 'inside', call, of: graphText(called) };
}

/** The heading of a trace whose own heading is not loaded: all but the called function. */
export function headerOfTrace(trace: Schema<'GraphExecution'>): CallHeader {
  return {
    graph_id: trace.graph_id,
    graph_name: trace.graph_name,
    execution_index: trace.execution_index,
    execution_op_type: null,
    execution_function_name: null,
  };
}
