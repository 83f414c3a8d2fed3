// Moves by the keyboard: a goal among the rows, which is reached once its row is loaded, headings skipped. Owned by the pane;
// knows no DOM.
import { computed, signal, type Signal } from '@angular/core';

/** The rows moved through; a row is undefined while it is not loaded. */
export interface CursorRows<Row> {
  readonly total: Signal<number>;
  row(index: number): Row | undefined;
}

export interface Arrival<Row> {
  readonly row: number;
  /** Undefined: the row has to be loaded first. */
  readonly entry: Row | undefined;
}

export class RowCursor<Row> {
  readonly #goal = signal<{ readonly row: number; readonly direction: 1 | -1 } | null>(null);

  /** The row that the present goal leads to; null without a goal, or where every row is skipped. */
  readonly arrival: Signal<Arrival<Row> | null> = computed(() => {
    const goal = this.#goal();
    return goal && (this.#walk(goal.row, goal.direction) ?? this.#walk(goal.row, -goal.direction));
  });

  constructor(
    private readonly rows: CursorRows<Row>,
    private readonly skipped: (row: Row) => boolean,
  ) {}

  /** Goes to a row; from one that is skipped, on in the direction. */
  goTo(row: number, direction: 1 | -1): void {
    const last = this.rows.total() - 1;
    if (last < 0) return;
    this.#goal.set({ row: Math.max(0, Math.min(row, last)), direction });
  }

  /** Goes by some rows from where an unfinished move leads, else from `row`. */
  goBy(distance: number, row: number): void {
    this.goTo((this.#goal()?.row ?? row) + distance, distance < 0 ? -1 : 1);
  }

  arrived(): void {
    this.#goal.set(null);
  }

  #walk(from: number, direction: number): Arrival<Row> | null {
    for (let row = from; row >= 0 && row < this.rows.total(); row += direction) {
      const entry = this.rows.row(row);
      if (!entry || !this.skipped(entry)) return { row, entry };
    }
    return null;
  }
}
