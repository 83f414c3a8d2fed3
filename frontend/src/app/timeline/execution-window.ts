// Which stretch of the executions is shown as boxes. Owned by the timeline; the boxes and the overview read and move it.
import { computed, signal } from '@angular/core';

export class ExecutionWindow {
  /** Executions of the run. */
  readonly total = signal(0);
  /** Boxes that fit. */
  readonly capacity = signal(0);
  readonly #begin = signal(0);

  /** The furthest begin: the last box is then the last execution. */
  readonly lastBegin = computed(() => Math.max(0, this.total() - this.capacity()));
  readonly begin = computed(() => Math.min(this.#begin(), this.lastBegin()));
  /** Exclusive; never beyond the last execution. */
  readonly end = computed(() => Math.min(this.begin() + this.capacity(), this.total()));

  contains(index: number): boolean {
    return index >= this.begin() && index < this.end();
  }

  moveTo(begin: number): void {
    this.#begin.set(Math.max(0, Math.min(Math.round(begin), this.lastBegin())));
  }

  moveBy(executions: number): void {
    this.moveTo(this.begin() + executions);
  }

  /** One window on or back. */
  page(direction: 1 | -1): void {
    this.moveBy(direction * Math.max(1, this.capacity()));
  }

  /** Brings an execution into view, if it is not: a third in, so that what came before is seen too. */
  reveal(index: number): void {
    if (!this.contains(index)) this.moveTo(index - Math.floor(this.capacity() / 3));
  }
}

/** Where the window lies on a strip that stands for the whole run, in px. Never too small to be seen and taken hold of. */
export function windowOnStrip(
  { begin, end, total }: { begin: number; end: number; total: number },
  stripWidth: number,
): { left: number; width: number } {
  if (total === 0) return { left: 0, width: 0 };
  const shown = end - begin;
  const width = Math.min(stripWidth, Math.max(LEAST_WINDOW_PX, (shown / total) * stripWidth));
  const lastBegin = total - shown;
  return { left: lastBegin && (begin / lastBegin) * (stripWidth - width), width };
}

/** The begin that puts the window's left edge at `left` px. */
export function beginAt(
  left: number,
  { begin, end, total }: { begin: number; end: number; total: number },
  stripWidth: number,
): number {
  const { width } = windowOnStrip({ begin, end, total }, stripWidth);
  const room = stripWidth - width;
  if (room <= 0) return 0;
  const share = Math.max(0, Math.min(1, left / room));
  return Math.round(share * (total - (end - begin)));
}

const LEAST_WINDOW_PX = 10;
