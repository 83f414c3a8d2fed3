import { describe, expect, it } from 'vitest';
import type { Edge } from './drawing';
import type { Rect } from './layout';
import { beginOfView, neighborhoodOf, zoomUnasked } from './sight';

const box = (x: number, y: number): Rect => ({ x, y, width: 100, height: 40 });
const edge = (from: string, to: string) => ({ key: `${from} ${to}`, from, to }) as Edge;

describe('what is around the focus', () => {
  const boxes = new Map([
    ['Softmax', box(0, 0)],
    ['probs', box(20, 80)],
    ['Log', box(60, 160)],
    ['mul', box(200, 240)],
  ]);
  const edges = [edge('Softmax', 'probs'), edge('probs', 'Log'), edge('Log', 'mul')];

  it('is its inputs and consumers, not theirs', () => {
    expect(neighborhoodOf('Log', edges, boxes)).toEqual({ x: 20, y: 80, width: 280, height: 200 });
  });

  it('is the box itself where nothing is joined to it, and nothing where it is not placed', () => {
    expect(neighborhoodOf('Log', [], boxes)).toEqual(boxes.get('Log'));
    expect(neighborhoodOf('Exp', edges, boxes)).toBeNull();
  });
});

describe('the size that nobody asked for', () => {
  const view = { width: 600, height: 200 };
  const all = { width: 300, height: 600 };

  it('shows all where that can be read', () => {
    expect(zoomUnasked(view, { width: 300, height: 100 }, all)).toBe(1);
    expect(zoomUnasked(view, { width: 300, height: 222 }, all)).toBeCloseTo(0.9);
  });

  it('goes a little smaller for all neighbours, not in vain', () => {
    expect(zoomUnasked(view, all, { width: 300, height: 100 })).toBe(0.8);
    expect(zoomUnasked(view, all, { width: 300, height: 270 })).toBeCloseTo(0.74);
    expect(zoomUnasked(view, all, { width: 300, height: 400 })).toBe(0.8);
  });
});

describe('where the view begins', () => {
  const focus = { begin: 400, end: 440 };

  it('has the focus in the middle', () => {
    expect(beginOfView(200, focus, { begin: 330, end: 510 })).toBe(320);
  });

  it('gives way to neighbours that fit once it does', () => {
    expect(beginOfView(200, focus, { begin: 390, end: 560 })).toBe(360);
    expect(beginOfView(200, focus, { begin: 280, end: 450 })).toBe(280);
  });

  it('keeps the focus in the middle where they do not fit', () => {
    expect(beginOfView(200, focus, { begin: 390, end: 800 })).toBe(320);
  });
});
