import { describe, expect, it } from 'vitest';
import { placementBeside } from './placement';

const page = { width: 1000, height: 800 };
const button = (left: number, top: number) => ({ left, right: left + 80, top, bottom: top + 26 });

describe('placementBeside', () => {
  it('opens below and to the right', () => {
    expect(placementBeside(button(100, 10), page)).toEqual({
      left: 100,
      right: null,
      top: 40,
      bottom: null,
      maxWidth: 640,
      maxHeight: 480,
    });
  });

  it('opens upwards near the lower edge', () => {
    const { top, bottom, maxHeight } = placementBeside(button(100, 700), page);
    expect({ top, bottom, maxHeight }).toEqual({ top: null, bottom: 104, maxHeight: 480 });
  });

  it('opens to the left near the right edge', () => {
    const { left, right, maxWidth } = placementBeside(button(900, 10), page);
    expect({ left, right, maxWidth }).toEqual({ left: null, right: 20, maxWidth: 640 });
  });

  it('stays within a small page', () => {
    const { left, top, maxHeight } = placementBeside(button(0, 20), { width: 300, height: 200 });
    expect(left).toBe(8);
    expect(top).toBe(50);
    expect(maxHeight).toBe(142);
  });
});
