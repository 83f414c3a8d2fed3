// The rows of the list under the present filter: headings and traces by position, loaded as they come into view. Owns the
// pages; belongs to the pane and lives as long as it.
import { computed, DestroyRef, effect, inject, signal, untracked } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { traceFilterQuery, type TraceFilterQuery } from '../filters/filter-query';
import { PagedRows } from '../state/paged-rows';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';

export type ListRow = Schema<'GraphExecutionRow'>;
export type Trace = Schema<'GraphExecution'>;

/** A list of one run under one filter, and how long it was when last asked. */
interface ListSize {
  readonly run: string;
  readonly filter: TraceFilterQuery;
  readonly numRows: number;
  readonly numTraces: number;
}

/** Must be made in an injection context. */
export class TraceList {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #selection = inject(Selection);

  /** The filter that is asked for. */
  readonly filter = computed(
    () => traceFilterQuery(this.#selection.traceFilter(), this.#selection.collapsesLoops()),
    { equal: sameQuery },
  );
  readonly size = readOfRun({
    question: () => this.filter(),
    ask: async (run, filter, signal): Promise<ListSize> => {
      const page = { run, ...filter, begin: 0, end: 0 };
      const answer = await this.#client.get('/graph_execution/rows', signal, page);
      return { run, filter, numRows: answer.num_rows, numTraces: answer.num_graph_executions };
    },
    grows: true,
  });

  readonly #listed = signal<ListSize | null>(null);
  /** Whether collapsing makes the run's list shorter; asked once it is read, and again when it has ended. */
  readonly #loops = readOfRun({
    question: () => {
      const run = this.#runs.selected();
      return this.#listed() && run && run.status !== 'loading' ? run.status : null;
    },
    ask: async (run, _, signal) => {
      const page = { run, begin: 0, end: 0 };
      // Both of one moment: what the list was when it was last asked is not how long it is now.
      const [all, collapsed] = await Promise.all([
        this.#client.get('/graph_execution/rows', signal, page),
        this.#client.get('/graph_execution/rows', signal, { ...page, collapse: 1 }),
      ]);
      return collapsed.num_rows < all.num_rows;
    },
  });
  readonly hasLoops = computed(() => this.#loops.answer() ?? false);

  readonly #pages = new PagedRows<ListRow>({
    fetchPage: async (begin, end, signal) => {
      const listed = this.#listed();
      if (!listed) return [];
      const page = { run: listed.run, ...listed.filter, begin, end };
      return (await this.#client.get('/graph_execution/rows', signal, page)).rows;
    },
  });

  readonly total = this.#pages.total;
  readonly viewport = this.#pages.viewport;
  /** What is wrong with the filter, in the server's words; the former list stays. */
  readonly refusal = computed(() => (this.size.refused() ? this.size.failure() : null));
  /** Why the list or rows of it could not be loaded; they are asked for again by themselves. */
  readonly failure = computed(() =>
    this.size.refused() ? null : (this.size.failure() ?? this.#pages.failure()),
  );
  /** Traces that pass the filter; null until known. */
  readonly numTraces = computed(() => this.#listed()?.numTraces ?? null);
  /** What the rows are a list of: run and filter as text. Null while another list is being asked for. */
  readonly key = computed(() => {
    const listed = this.#listed();
    const asked = this.filter();
    return listed && listed.run === this.#selection.run() && sameQuery(listed.filter, asked)
      ? JSON.stringify([listed.run, asked])
      : null;
  });

  constructor() {
    effect(() => {
      const size = this.size.answer();
      untracked(() => this.#show(size));
    });
    inject(DestroyRef).onDestroy(() => this.#pages.dispose());
  }

  row(index: number): ListRow | undefined {
    return this.#pages.row(index);
  }

  /** Where a trace stands among the rows in view; null if it does not. */
  rowInView(trace: number): number | null {
    const { begin, end } = this.#pages.viewport();
    for (let index = begin; index < end; index++) {
      if (this.row(index)?.graph_execution?.index === trace) return index;
    }
    return null;
  }

  /** The heading under which a row stands, and its position; undefined where it is not loaded. */
  headingOf(index: number): { readonly row: number; readonly entry: ListRow } | undefined {
    for (let row = index; row >= 0; row--) {
      const entry = this.row(row);
      if (!entry) return undefined;
      if (entry.call) return { row, entry };
    }
    return undefined;
  }

  show(begin: number, end: number): void {
    this.#pages.show(begin, end);
  }

  retry(): void {
    this.size.retry();
    this.#pages.retry();
  }

  #show(size: ListSize | null): void {
    const former = this.#listed();
    this.#listed.set(size);
    const { begin, end } = this.#pages.viewport();
    if (!size || former?.run !== size.run || !sameQuery(former.filter, size.filter)) {
      this.#pages.reset();
    } else {
      // The run has grown: a call that was in progress is known now, and its headings read otherwise.
      this.#pages.outdate();
    }
    this.#pages.setTotal(size?.numRows ?? 0);
    this.#pages.show(begin, end);
  }
}

function sameQuery(a: TraceFilterQuery, b: TraceFilterQuery): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
