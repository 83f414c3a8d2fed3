// Names of graphs as people know them. TensorFlow wraps a function's name: "__backward_dense_layer_127".

const WRAPPED = /^__(forward|backward|inference)_(.+?)(?:_\d+)?$/;

/** "__backward_dense_layer_127" -> "backward of dense_layer"; null for a graph without a name. */
export function graphNameText(name: string | null): string | null {
  if (!name) return null;
  const [, kind, inner] = WRAPPED.exec(name) ?? [];
  if (!kind || !inner) return name;
  // A function that was itself made from a wrapped one is wrapped twice.
  const readable = graphNameText(inner) ?? inner;
  return kind === 'inference' ? readable : `${kind} of ${readable}`;
}
