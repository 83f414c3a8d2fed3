// Which box an arrow key goes to from another: along the edges up and down, among siblings left and right. Pure.
import type { Edge } from './drawing';
import type { Placement, Rect } from './layout';

export type Direction = 'up' | 'down' | 'left' | 'right';

export function boxInDirection(
  direction: Direction,
  from: string,
  { boxes }: Placement,
  edges: readonly Edge[],
): string | null {
  const here = boxes.get(from);
  if (!here) return null;
  if (direction === 'up' || direction === 'down') {
    const above = direction === 'up';
    const joined = edges.flatMap((edge) =>
      above ? (edge.to === from ? [edge.from] : []) : edge.from === from ? [edge.to] : [],
    );
    const beyond = [...boxes.keys()].filter((key) => {
      const rect = boxes.get(key) as Rect;
      return above ? rect.y + rect.height <= here.y : rect.y >= here.y + here.height;
    });
    return nearest(here, joined, boxes) ?? nearest(here, beyond, boxes);
  }
  const siblings = [...boxes.keys()].filter((key) => {
    const rect = boxes.get(key) as Rect;
    const level = rect.y < here.y + here.height && here.y < rect.y + rect.height;
    return level && (direction === 'left' ? rect.x < here.x : rect.x > here.x);
  });
  return nearest(here, siblings, boxes);
}

function nearest(
  here: Rect,
  keys: readonly string[],
  boxes: ReadonlyMap<string, Rect>,
): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const key of keys) {
    const rect = boxes.get(key);
    if (!rect) continue;
    const across = Math.abs(rect.x + rect.width / 2 - here.x - here.width / 2);
    const distance = across + Math.abs(rect.y - here.y);
    if (distance < least) [best, least] = [key, distance];
  }
  return best;
}
