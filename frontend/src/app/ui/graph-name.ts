// Names that TensorFlow gives to the graphs of functions, as people say them. Pure.

/** A graph's function, apart from what the name adds to it. */
export interface GraphName {
  readonly functionName: string;
  /** Whether the graph computes the gradients of the function. */
  readonly backward: boolean;
}

const BACKWARD = /^(?:__inference_)?__backward_(.+?)(?:_\d+){1,2}$/s;
const FORWARD = /^__(?:forward|inference)_(.+?)(?:_\d+)?$/s;

/** "__backward_dense_layer_127" -> dense_layer, backward; names of other kinds are kept. */
export function parseGraphName(name: string): GraphName {
  const backward = BACKWARD.exec(name)?.[1];
  if (backward) return { functionName: backward, backward: true };
  return { functionName: FORWARD.exec(name)?.[1] ?? name, backward: false };
}

/** "__backward_dense_layer_127" -> "backward dense_layer"; a graph without a name is that of a TF1 session. */
export function graphText(name: string | null): string {
  if (name === null) return 'session';
  const { functionName, backward } = parseGraphName(name);
  return backward ? `backward ${functionName}` : functionName;
}
