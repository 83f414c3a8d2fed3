// Where boxes and edges lie: layers from top to bottom. dagre decides; it arrives with the first drawing. Stateless.
import type { Drawing, Edge } from './drawing';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  /** The top left corner. */
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface EdgeShape {
  /** An SVG path from one border to the other. */
  readonly path: string;
  /** The middle of the label's left side. */
  readonly label: Point;
}

export interface Placement extends Size {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly edges: ReadonlyMap<string, EdgeShape>;
}

const MARGIN = 10;
/** Room for an edge's label and its arrow head. */
const LAYER_GAP = 32;
const BOX_GAP = 20;
const EDGE_GAP = 24;
const LABEL_HEIGHT = 16;
const LABEL_OFFSET = 7;
/** Where along an edge its label may stand; the first that is free is taken. */
const LABEL_PLACES = [0.5, 0.32, 0.68, 0.42, 0.58];

export async function layOut(
  { focus, edges }: Pick<Drawing, 'focus' | 'edges'>,
  sizes: ReadonlyMap<string, Size>,
  labelWidth: (edge: Edge) => number,
): Promise<Placement> {
  const { Graph, layout } = await import('@dagrejs/dagre');
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: 'TB',
    ranksep: LAYER_GAP,
    nodesep: BOX_GAP,
    edgesep: EDGE_GAP,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  for (const [key, size] of sizes) graph.setNode(key, { ...size });
  const joined = edges.filter(({ from, to }) => sizes.has(from) && sizes.has(to));
  for (const edge of joined) {
    graph.setEdge(edge.from, edge.to, {}, edge.key);
  }
  layout(graph, { constraints: inOrder(focus, joined) });

  const boxes = new Map<string, Rect>();
  for (const [key, size] of sizes) {
    const { x, y } = graph.node(key) as Point;
    boxes.set(key, { ...size, x: x - size.width / 2, y: y - size.height / 2 });
  }
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  const bends = new Map(
    joined.map((edge) => {
      const { points = [] } = graph.edge(edge.from, edge.to, edge.key) as { points?: Point[] };
      return [edge.key, points] as const;
    }),
  );
  return { width, height, boxes, edges: edgeShapes(joined, boxes, bends, labelWidth) };
}

/** What feeds the focus, and what it feeds, stand from left to right in the order of the edges: that of the slots. */
function inOrder(focus: string, edges: readonly Edge[]): { left: string; right: string }[] {
  const above = edges.filter(({ to }) => to === focus).map(({ from }) => from);
  const below = edges.filter(({ from }) => from === focus).map(({ to }) => to);
  const apart = !above.some((key) => below.includes(key));
  const chains = apart ? [above, below] : [above];
  return chains.flatMap((chain) =>
    chain.slice(1).map((right, index) => ({ left: chain[index] as string, right })),
  );
}

/** Paths between borders. Ends are spread along a border, in the order in which the other ends lie. */
export function edgeShapes(
  edges: readonly Edge[],
  boxes: ReadonlyMap<string, Rect>,
  bends: ReadonlyMap<string, readonly Point[]>,
  labelWidth: (edge: Edge) => number,
): Map<string, EdgeShape> {
  const outgoing = ports(edges, boxes, 'from', 'to');
  const incoming = ports(edges, boxes, 'to', 'from');
  const shapes = new Map<string, EdgeShape>();
  const labels: (Point & { readonly width: number })[] = [];
  for (const edge of edges) {
    const from = boxes.get(edge.from);
    const to = boxes.get(edge.to);
    const points = bends.get(edge.key) ?? [];
    if (!from || !to) continue;
    if (edge.from === edge.to) {
      shapes.set(edge.key, { path: smooth(points), label: points[2] ?? from });
      continue;
    }
    const down = from.y < to.y;
    const start = { x: outgoing.get(edge.key) ?? 0, y: down ? from.y + from.height : from.y };
    const end = { x: incoming.get(edge.key) ?? 0, y: down ? to.y : to.y + to.height };
    // Between neighbouring layers there is nothing to go round.
    const through = points.length > 3 ? points.slice(1, -1) : [];
    const next = through[0] ?? end;
    const width = labelWidth(edge);
    // Beside a curve that runs to the right there is room above its middle, and below it for one to the left.
    const aside = Math.abs(next.x - start.x) < 20 ? 0 : next.x > start.x === down ? -7 : 7;
    const places = LABEL_PLACES.map((share) => {
      const { x, y } = between(start, next, share);
      return { x, y: y + aside };
    });
    const free = places.find(({ x, y }) =>
      labels.every(
        (one) =>
          x >= one.x + one.width || x + width <= one.x || Math.abs(y - one.y) >= LABEL_HEIGHT,
      ),
    );
    const place = free ?? (places[0] as Point);
    if (width) labels.push({ ...place, width });
    const label = { x: place.x + LABEL_OFFSET, y: place.y };
    shapes.set(edge.key, { path: smooth([start, ...through, end]), label });
  }
  return shapes;
}

/** The x of each edge's end at one of its boxes. */
function ports(
  edges: readonly Edge[],
  boxes: ReadonlyMap<string, Rect>,
  end: 'from' | 'to',
  other: 'from' | 'to',
): Map<string, number> {
  const at = new Map<string, number>();
  for (const [key, box] of boxes) {
    const here = edges.filter((edge) => edge[end] === key);
    const centre = (edge: Edge) => {
      const rect = boxes.get(edge[other]);
      return rect ? rect.x + rect.width / 2 : 0;
    };
    here.sort((a, b) => centre(a) - centre(b));
    here.forEach((edge, index) => {
      at.set(edge.key, box.x + (box.width * (index + 1)) / (here.length + 1));
    });
  }
  return at;
}

/** A curve through the points that leaves and enters each vertically. */
function smooth(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (!first) return '';
  let path = `M${round(first.x)} ${round(first.y)}`;
  let last = first;
  for (const point of others) {
    const middle = round((last.y + point.y) / 2);
    path +=
      Math.abs(last.x - point.x) < 1
        ? `L${round(point.x)} ${round(point.y)}`
        : `C${round(last.x)} ${middle} ${round(point.x)} ${middle} ${round(point.x)} ${round(point.y)}`;
    last = point;
  }
  return path;
}

/** A point of the curve that `smooth` draws between two points. */
function between(from: Point, to: Point, share: number): Point {
  const rest = 1 - share;
  const middle = (from.y + to.y) / 2;
  return {
    x: from.x * rest * rest * (1 + 2 * share) + to.x * share * share * (3 - 2 * share),
    y: from.y * rest ** 3 + 3 * middle * share * rest + to.y * share ** 3,
  };
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
