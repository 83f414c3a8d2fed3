import { describe, expect, it } from 'vitest';
import { boxInDirection } from './arrow-moves';
import type { Edge } from './drawing';
import { layOut, type Rect } from './layout';

const SIZE = { width: 160, height: 40 };

function edge(from: string, to: string): Edge {
  const key = `${from} ${to}`;
  return { key, from, to, slots: [], label: '0 → 0', words: '', bad: '', argument: false };
}

/** "a>b b>c" laid out around a focus. */
async function laidOut(focus: string, text: string) {
  const edges = text.split(' ').map((pair) => edge(...(pair.split('>') as [string, string])));
  const keys = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const sizes = new Map([...keys].map((key) => [key, SIZE]));
  const placement = await layOut({ focus, edges }, sizes, () => 60);
  return { edges, placement, rect: (key: string) => placement.boxes.get(key) as Rect };
}

describe('layOut', () => {
  it('places inputs above and consumers below, apart from each other, in the order of the slots', async () => {
    const { rect, placement } = await laidOut('op', 'a>op b>op c>op op>x op>y');
    for (const key of 'abc') expect(rect(key).y + 40).toBeLessThan(rect('op').y);
    for (const key of 'xy') expect(rect(key).y).toBeGreaterThan(rect('op').y + 40);
    expect(rect('a').x + 160).toBeLessThan(rect('b').x);
    expect(rect('b').x + 160).toBeLessThan(rect('c').x);
    expect(rect('x').x + 160).toBeLessThan(rect('y').x);
    expect(placement.width).toBeGreaterThan(rect('c').x + 160);
  });

  it('draws edges from border to border', async () => {
    const { rect, placement } = await laidOut('b', 'a>b');
    const x = rect('a').x + 80;
    const path = placement.edges.get('a b')?.path ?? '';
    expect(path).toMatch(new RegExp(`^M${x} ${rect('a').y + 40}L.*${x} ${rect('b').y}$`));
  });

  it('survives a loop', async () => {
    const { placement } = await laidOut('a', 'a>b b>a a>a');
    expect(placement.edges.size).toBe(3);
    for (const { path } of placement.edges.values()) expect(path).not.toContain('NaN');
  });
});

describe('boxInDirection', () => {
  it('goes along the edges up and down, and among siblings left and right', async () => {
    const { edges, placement } = await laidOut('op', 'far>a a>op b>op op>x');
    const move = (direction: 'up' | 'down' | 'left' | 'right', from: string) =>
      boxInDirection(direction, from, placement, edges);
    expect(move('down', 'op')).toBe('x');
    expect(['a', 'b']).toContain(move('up', 'op'));
    expect(move('right', 'a')).toBe('b');
    expect(move('left', 'b')).toBe('a');
    expect(move('up', 'a')).toBe('far');
    expect(move('down', 'b')).toBe('op');
    expect(move('down', 'x')).toBeNull();
    expect(move('up', 'b')).toBe('far');
  });
});
