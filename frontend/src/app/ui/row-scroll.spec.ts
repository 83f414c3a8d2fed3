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
      expect(scroll.positionOf(10)).toBe(210);
      scroll.scrolledTo(600);
      expect(scroll.positionOf(0)).toBe(-90);
      expect(scroll.moveTo(-90)).toBe(0);
      expect(scroll.moveTo(1e9)).toBe(29_700);
    });

    it('brings a row as near as it is, below what covers the top', () => {
      scroll.covered.set(30);
      expect(scroll.positionOf(10, 'nearest')).toBe(30);
      scroll.moveTo(600);
      expect(scroll.positionOf(20, 'nearest')).toBe(570);
      expect(scroll.positionOf(21, 'nearest')).toBe(600);
      expect(scroll.positionOf(29, 'nearest')).toBe(600);
      expect(scroll.positionOf(30, 'nearest')).toBe(630);
    });

    it('shows a third of what nothing covers above a row that was far away', () => {
      scroll.covered.set(30);
      scroll.moveTo(600);
      // Rows 17 to 19, below a covered one.
      expect(scroll.positionOf(20)).toBe(480);
    });

    it('tells how much of the first row is above the view', () => {
      scroll.scrolledTo(615);
      expect(scroll.cut()).toBe(15);
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

  describe('of three million rows', () => {
    beforeEach(() => list(3_000_000));

    /** The element, which keeps scrollTop within its range. */
    function element(scrollTop: number): number {
      return Math.max(0, Math.min(scrollTop, scroll.scrollHeight() - scroll.viewHeight()));
    }

    it('jumps to any row exactly, wherever it stands', () => {
      for (let index = 0; index < 3_000_000; index += 9_973) {
        const settled = scroll.moveTo(index * 30);
        scroll.scrolledTo(element(settled));
        expect(scroll.position()).toBe(Math.min(index * 30, 3_000_000 * 30 - 300));
        scroll.scrolledTo(element(scroll.settle()));
        expect(scroll.inView().begin).toBe(Math.min(index, 2_999_990));
        expect(scroll.top()).toBe(settled - (scroll.inView().begin - scroll.made().begin) * 30);
      }
    });

    it('leaves no row out under the wheel, up and down, with and without a rest', () => {
      for (const start of [0, 16_000, 17_000, 1_500_000, 2_983_000, 2_999_000]) {
        for (const [delta, rests] of [
          [240, true],
          [240, false],
          [-240, true],
          [-240, false],
        ] as const) {
          let scrollTop = scroll.moveTo(start * 30);
          for (let turn = 0; turn < 200; turn++) {
            const before = scroll.position();
            scrollTop = element(scrollTop + delta);
            scroll.scrolledTo(scrollTop);
            const wanted = Math.max(0, Math.min(before + delta, 3_000_000 * 30 - 300));
            expect(scroll.position()).toBe(wanted);
            if (rests) scrollTop = scroll.settle();
          }
        }
      }
    });

    it('reaches both ends with the wheel, from far away', () => {
      let scrollTop = scroll.moveTo(16_500 * 30);
      for (let turn = 0; turn < 16_500 / 10 + 1; turn++) {
        scrollTop = element(scrollTop - 300);
        scroll.scrolledTo(scrollTop);
      }
      expect(scroll.position()).toBe(0);
      scrollTop = scroll.moveTo(2_999_000 * 30);
      for (let turn = 0; turn < 101; turn++) {
        scrollTop = element(scrollTop + 300);
        scroll.scrolledTo(scrollTop);
      }
      expect(scroll.inView()).toEqual({ begin: 2_999_990, end: 3_000_000 });
    });

    it('goes with the thumb from the first row to the last, ever forward', () => {
      let last = -1;
      for (let step = 0; step <= 600; step++) {
        scroll.scrolledTo(element((step / 600) * scroll.scrollHeight()));
        expect(scroll.position()).toBeGreaterThan(last);
        last = scroll.position();
      }
      expect(scroll.inView().end).toBe(3_000_000);
    });
  });
});
