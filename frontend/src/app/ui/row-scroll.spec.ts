import { beforeEach, describe, expect, it } from 'vitest';
import { RowScroll } from './row-scroll';

describe('RowScroll', () => {
  let scroll: RowScroll;

  function list(total: number): void {
    scroll = new RowScroll();
    scroll.total.set(total);
    scroll.rowHeight.set(30);
    scroll.viewHeight.set(300);
  }

  describe('of a list that fits', () => {
    beforeEach(() => list(1000));

    it('shows the rows where the element is scrolled to', () => {
      expect(scroll.scrollHeight()).toBe(30_000);
      expect(scroll.inView()).toEqual({ begin: 0, end: 10 });
      scroll.scrolledTo(615);
      expect(scroll.inView()).toEqual({ begin: 20, end: 31 });
      expect(scroll.top()).toBe((20 - 6) * 30);
    });

    it('moves only as far as a row needs', () => {
      expect(scroll.positionOf(9)).toBe(0);
      expect(scroll.positionOf(10)).toBe(200);
      scroll.scrolledTo(600);
      expect(scroll.positionOf(0)).toBe(-100);
      expect(scroll.moveTo(-100)).toBe(0);
      expect(scroll.moveTo(1e9)).toBe(29_700);
    });

    it('stays within a list that shrank, and shows nothing of an empty one', () => {
      scroll.scrolledTo(29_700);
      scroll.total.set(20);
      expect(scroll.inView()).toEqual({ begin: 10, end: 20 });
      scroll.total.set(0);
      expect(scroll.inView()).toEqual({ begin: 0, end: 0 });
    });
  });

  describe('of ten million rows', () => {
    beforeEach(() => list(10_000_000));

    it('reaches the last row', () => {
      expect(scroll.scrollHeight()).toBeLessThan(33_000_000);
      scroll.scrolledTo(scroll.scrollHeight() - 300);
      expect(scroll.inView().end).toBe(10_000_000);
    });

    it('goes through the whole list with the thumb', () => {
      scroll.scrolledTo((scroll.scrollHeight() - 300) / 2);
      expect(scroll.inView().begin).toBeCloseTo(5_000_000, -2);
    });

    it('goes by as many px as the wheel', () => {
      scroll.moveTo(3_000_000 * 30);
      const settled = scroll.settle();
      scroll.scrolledTo(settled + 90);
      expect(scroll.inView().begin).toBe(3_000_003);
      expect(scroll.top()).toBe(settled + 90 - 6 * 30);
      const again = scroll.settle();
      scroll.scrolledTo(again);
      expect(scroll.inView().begin).toBe(3_000_003);
    });

    it('reaches each row by its index', () => {
      for (const index of [0, 1, 4_999_999, 9_999_998, 9_999_999]) {
        scroll.scrolledTo(scroll.moveTo(scroll.positionOf(index)));
        expect(scroll.inView().begin).toBeLessThanOrEqual(index);
        expect(scroll.inView().end).toBeGreaterThan(index);
      }
    });
  });
});
