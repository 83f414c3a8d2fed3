// The trace that the list is to have in view because of the selection, and where it stands under the filter. The selection
// stays the truth; this only finds its place. Belongs to the pane and lives as long as it.
import { computed, inject, signal } from '@angular/core';
import { ApiClient } from '../api/client';
import { traceIndex, type TraceIndex } from '../api/indices';
import { FocusedEvent } from '../state/focused-event';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import type { TraceList } from './trace-list';

/** Where the target is: row null where the filter hides it or there is none. */
export interface TargetPlace {
  /** Changes with what is selected and with what is listed, and when what is selected has been read. */
  readonly key: string;
  readonly row: number | null;
}

/** Must be made in an injection context. */
export class TargetTrace {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #selection = inject(Selection);
  readonly #focused = inject(FocusedEvent);
  /** A trace that was selected in the list itself: its row is known. */
  readonly #picked = signal<{
    readonly index: TraceIndex;
    readonly row: number;
    readonly list: string | null;
    readonly numRows: number;
  } | null>(null);

  /** The selected trace's index, whether there is such a trace or not. */
  readonly selected = computed<TraceIndex | null>(() => {
    const event = this.#selection.event();
    return event?.kind === 'trace' ? event.index : null;
  });
  readonly exists = computed(
    () => (this.selected() ?? -1) < (this.#runs.selected()?.num_graph_executions ?? 0),
  );
  /** The selected trace, or the first one of the selected execution. */
  readonly index = computed<TraceIndex | null>(() => {
    const event = this.#selection.event();
    if (event?.kind === 'trace') return this.exists() ? event.index : null;
    if (event?.kind !== 'execution') return null;
    const detail = this.#focused.execution.answer();
    const first = detail?.execution.index === event.index && detail.first_graph_execution_index;
    return typeof first === 'number' ? traceIndex(first) : null;
  });
  /** Whether the target depends on an answer that is on its way. */
  readonly #awaited = computed(() => {
    const event = this.#selection.event();
    return event?.kind === 'execution' && this.#focused.execution.pending();
  });

  readonly #rowAsPicked = computed(() => {
    const picked = this.#picked();
    return picked?.index === this.index() &&
      picked.list === this.list.key() &&
      picked.numRows === this.list.total()
      ? picked.row
      : null;
  });
  readonly #position = readOfRun({
    question: () => {
      const index = this.index();
      return index === null || this.#rowAsPicked() !== null
        ? null
        : { index, ...this.list.filter() };
    },
    ask: (run, question, signal) =>
      this.#client.get('/graph_execution/position', signal, { run, ...question }),
    grows: true,
  });

  /** Null while it is being found. */
  readonly place = computed<TargetPlace | null>(
    () => {
      const list = this.list.key();
      if (list === null || this.#awaited()) return null;
      const exists = this.index() !== null;
      const key = JSON.stringify([list, this.#selection.event(), exists]);
      if (!exists) return { key, row: null };
      const row = this.#rowAsPicked();
      if (row !== null) return { key, row };
      const found = this.#position.pending() ? null : this.#position.answer();
      return found && { key, row: found.row };
    },
    { equal: (a, b) => a?.key === b?.key && a?.row === b?.row },
  );
  /** The row of the target; null where it is hidden or not known. */
  readonly row = computed(() => (this.index() === null ? null : (this.place()?.row ?? null)));
  /** The filter hides the selected trace. */
  readonly hidden = computed(
    () => this.selected() !== null && this.exists() && this.place()?.row === null,
  );

  constructor(private readonly list: TraceList) {}

  /** Whether the target was selected in the list itself. */
  wasPicked(): boolean {
    return this.#rowAsPicked() !== null;
  }

  /** Where any trace stands; null where the filter hides it, or no answer comes. */
  async find(index: TraceIndex): Promise<number | null> {
    const run = this.#selection.run();
    if (run === null) return null;
    const query = { run, index, ...this.list.filter() };
    const found = await this.#client
      .get('/graph_execution/position', null, query)
      .catch(() => null);
    return found && found.row;
  }

  /** The user is about to select a trace at its row. */
  pick(index: TraceIndex, row: number): void {
    this.#picked.set({ index, row, list: this.list.key(), numRows: this.list.total() });
  }
}
