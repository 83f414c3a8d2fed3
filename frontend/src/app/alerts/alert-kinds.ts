// The kinds of alerts that the page knows, in the order in which they stand. Pure.

export interface AlertKind {
  /** As the server names it. */
  readonly type: string;
  readonly title: string;
  readonly meaning: string;
  readonly count: number;
}

const KNOWN = [
  {
    type: 'InfNanAlert',
    title: 'NaN/∞',
    meaning: 'Output tensors that hold NaN or infinity',
  },
];

/** Those that occurred; a type that this page does not know stands under its own name, last. */
export function alertKinds(breakdown: Readonly<Record<string, number>>): AlertKind[] {
  const known = KNOWN.map((kind) => ({ ...kind, count: breakdown[kind.type] ?? 0 }));
  const others = Object.entries(breakdown)
    .filter(([type]) => !KNOWN.some((kind) => kind.type === type))
    .map(([type, count]) => ({ type, title: type, meaning: type, count }));
  return [...known, ...others].filter(({ count }) => count > 0);
}
