// How large a drawing is drawn and where it is scrolled to, so that the focus and what is joined to it are seen. Stateless.
import type { Edge } from './drawing';
import type { Rect, Size } from './layout';

/** Below this the text is too small to be chosen without being asked. */
const LEAST_ZOOM_UNASKED = 0.8;
/** Smaller still, where that brings all neighbours into view. */
const LEAST_ZOOM_FOR_NEIGHBORS = 0.7;

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The least rectangle around a box and all that an edge joins to it; null where the box is not placed. */
export function neighborhoodOf(
  focus: string,
  edges: readonly Edge[],
  boxes: ReadonlyMap<string, Rect>,
): Rect | null {
  if (!boxes.has(focus)) return null;
  const joined = edges.filter(({ from, to }) => from === focus || to === focus);
  const keys = new Set([focus, ...joined.flatMap(({ from, to }) => [from, to])]);
  const rects = [...keys].flatMap((key) => boxes.get(key) ?? []);
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** At most 1: all that is drawn fits; else the neighbours do; else the text can be read. */
export function zoomUnasked(view: Size, all: Size, neighborhood: Size): number {
  const fitting = fittingZoom(view, all);
  if (fitting >= LEAST_ZOOM_UNASKED) return fitting;
  const fittingNeighbors = fittingZoom(view, neighborhood);
  return fittingNeighbors < LEAST_ZOOM_FOR_NEIGHBORS
    ? LEAST_ZOOM_UNASKED
    : Math.min(fittingNeighbors, LEAST_ZOOM_UNASKED);
}

export function fittingZoom(view: Size, drawn: Size): number {
  return Math.min(view.width / drawn.width, view.height / drawn.height, 1);
}

/** Where a view of that length begins: the focus in its middle, moved aside only where all neighbours then fit. */
export function beginOfView(length: number, focus: Span, neighbors: Span): number {
  const centred = (focus.begin + focus.end - length) / 2;
  if (neighbors.end - neighbors.begin > length) return centred;
  return Math.max(neighbors.end - length, Math.min(neighbors.begin, centred));
}
