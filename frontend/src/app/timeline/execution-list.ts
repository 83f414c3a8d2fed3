// The executions under the present filter, by row: all of the run where nothing is filtered. Owns the loaded ones; belongs to
// the timeline and lives as long as it.
import { computed, DestroyRef, effect, inject, signal, untracked } from '@angular/core';
import { ApiClient } from '../api/client';
import { executionFilterQuery, type ExecutionFilterQuery } from '../filters/filter-query';
import { FocusedEvent } from '../state/focused-event';
import { PagedRows } from '../state/paged-rows';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import type { ExecutionDigest } from './execution-words';

/** The executions of one run under one filter, and how many there are. */
interface Listed {
  readonly run: string;
  readonly filter: ExecutionFilterQuery;
  readonly total: number;
}

/** Must be made in an injection context. */
export class ExecutionList {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #selection = inject(Selection);
  readonly #focused = inject(FocusedEvent);

  readonly #query = computed(() => executionFilterQuery(this.#selection.executionFilter()), {
    equal: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  /** Whether anything is filtered by: an execution's row is then not its index. */
  readonly filtered = computed(() => Object.keys(this.#query()).length > 0);
  readonly #size = readOfRun({
    question: () => (this.filtered() ? this.#query() : null),
    ask: async (run, filter, signal): Promise<Listed> => {
      const query = { run, ...filter, begin: 0, end: 0 };
      const { num_digests } = await this.#client.get('/execution/digests', signal, query);
      return { run, filter, total: num_digests };
    },
    grows: true,
  });
  /** The present list, or the former one while a filter's is on its way; null until there is one. */
  readonly #listed = computed<Listed | null>(() => {
    const run = this.#selection.run();
    if (run === null) return null;
    return this.filtered()
      ? this.#size.answer()
      : { run, filter: {}, total: this.#runs.selected()?.num_executions ?? 0 };
  });

  readonly rows = new PagedRows<ExecutionDigest>({
    fetchPage: async (begin, end, signal) => {
      const listed = untracked(this.#listed);
      if (!listed) return [];
      const query = { run: listed.run, ...listed.filter, begin, end };
      return (await this.#client.get('/execution/digests', signal, query)).execution_digests;
    },
  });
  readonly total = computed(() => this.#listed()?.total ?? 0);
  /** What the rows are a list of, as text; null before there is one. */
  readonly key = computed(() => {
    const listed = this.#listed();
    return listed && JSON.stringify([listed.run, listed.filter]);
  });
  readonly pending = computed(() => this.#size.pending() && !this.#size.refused());
  /** What is wrong with the filter, in the server's words; the former list stays. */
  readonly refusal = computed(() => (this.#size.refused() ? this.#size.failure() : null));
  readonly failure = computed(() =>
    this.#size.refused() ? null : (this.#size.failure() ?? this.rows.failure()),
  );

  /** An execution that was selected in the list itself: its row is known. */
  readonly #picked = signal<{ index: number; row: number; key: string | null } | null>(null);
  readonly #rowAsPicked = computed(() => {
    const picked = this.#picked();
    const isFocused = picked?.index === this.#focused.executionIndex();
    return picked && isFocused && picked.key === this.key() ? picked.row : null;
  });
  readonly #position = readOfRun({
    question: () => {
      const index = this.#focused.executionIndex();
      const known = !this.filtered() || this.#rowAsPicked() !== null;
      return index === null || known ? null : { index, ...this.#query() };
    },
    ask: (run, question, signal) =>
      this.#client.get('/execution/position', signal, { run, ...question }),
    grows: true,
  });
  readonly #found = computed(() => (this.#position.pending() ? null : this.#position.answer()));
  /** The row of the execution in view; null where it is hidden or not known. */
  readonly focusedRow = computed(() => {
    const index = this.#focused.executionIndex();
    if (index === null || !this.filtered()) return index;
    return this.#rowAsPicked() ?? this.#found()?.row ?? null;
  });
  /** The row of the execution in view, or where it would stand. */
  readonly nearestRow = computed(() => this.focusedRow() ?? this.#found()?.nearest_row ?? null);
  /** The filter hides the execution in view. */
  readonly hidden = computed(() => this.focusedRow() === null && this.#found()?.row === null);

  constructor() {
    inject(DestroyRef).onDestroy(() => this.rows.dispose());
    let shown: string | null = null;
    effect(() => {
      const key = this.key();
      const total = this.total();
      untracked(() => {
        if (key !== shown) this.rows.reset();
        shown = key;
        this.rows.setTotal(total);
      });
    });
  }

  /** The execution of a row; null while that is not known. */
  indexAt(row: number): number | null {
    return this.rows.row(row)?.index ?? (this.filtered() ? null : row);
  }

  /** The row of an execution, or of the next one that passes; the last where none does. */
  async rowFrom(index: number): Promise<number> {
    const listed = this.#listed();
    if (!listed || !this.filtered()) return index;
    const query = { run: listed.run, ...listed.filter, index };
    const { row, nearest_row, num_rows } = await this.#client.get(
      '/execution/position',
      null,
      query,
    );
    return row ?? nearest_row ?? num_rows - 1;
  }

  /** The user is about to select an execution at its row. */
  pick(index: number, row: number): void {
    this.#picked.set({ index, row, key: this.key() });
  }

  retry(): void {
    this.#size.retry();
    this.rows.retry();
  }
}
