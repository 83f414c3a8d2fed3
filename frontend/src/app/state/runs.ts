// The runs that TensorBoard found, asked for while the frame is visible. Lives as long as the page.
import { computed, effect, inject, linkedSignal, Service, untracked } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { Host } from '../host/host';
import { Poller } from './poller';
import { Selection } from './selection';

/** A run's state and size, with its name. */
export type Run = Schema<'RunSummary'> & { readonly name: string };

/** A program that is still writing is looked at this often, however long it says nothing. */
const LIVE_PATIENCE_MS = 10_000;
const LOADING_PATIENCE_MS = 2_000;

@Service()
export class Runs {
  readonly #host = inject(Host);
  readonly #client = inject(ApiClient);
  readonly #selection = inject(Selection);
  readonly #poller = new Poller({
    ask: (signal) => this.#client.get('/runs', signal),
    patience: longestWait,
  });

  /** All runs, newest first; null until the first answer. */
  readonly all = computed(() => {
    const answer = this.#poller.answer();
    return answer && newestFirst(answer);
  });
  /** Why the last request failed; it is asked again by itself. */
  readonly failure = this.#poller.failure;
  /** The selected run; null where there is none of that name (yet). */
  readonly selected = computed<Run | null>(
    () => this.all()?.find((run) => run.name === this.#selection.run()) ?? null,
  );

  readonly #shown = linkedSignal<Run | null, { name: string; id: string; replacements: number }>({
    source: this.selected,
    computation: (run, previous) => {
      const before = previous?.value ?? { name: '', id: '', replacements: 0 };
      // Absent between two programs, or its metadata is not read yet.
      if (!run?.run_id) return before;
      const replaced = run.name === before.name && run.run_id !== before.id;
      return {
        name: run.name,
        id: run.run_id,
        replacements: before.replacements + (replaced ? 1 : 0),
      };
    },
  });
  /**
   * How often another run has taken the selected one's place under its name: a program that ran again in the same
   * directory. Nothing that was read before is true of it, even where all its sizes are the same.
   */
  readonly replacements = computed(() => this.#shown().replacements);

  constructor() {
    effect((onCleanup) => {
      this.#host.reloads();
      if (!this.#host.visible()) return;
      untracked(() => this.#poller.wake());
      onCleanup(() => this.#poller.pause());
    });
    // Where the address names no run, the newest is shown.
    effect(() => {
      const newest = this.all()?.[0];
      if (newest && this.#selection.run() === null) {
        untracked(() => this.#selection.adoptRun(newest.name));
      }
    });
  }

  askAgain(): void {
    this.#poller.wake();
  }
}

function newestFirst(answer: Record<string, Schema<'RunSummary'>>): Run[] {
  return Object.entries(answer)
    .map(([name, run]) => ({ ...run, name }))
    .sort((a, b) => (b.start_time ?? 0) - (a.start_time ?? 0) || (a.name < b.name ? -1 : 1));
}

function longestWait(answer: Record<string, Schema<'RunSummary'>>): number {
  const statuses = Object.values(answer).map((run) => run.status);
  if (statuses.includes('loading')) return LOADING_PATIENCE_MS;
  return statuses.includes('live') ? LIVE_PATIENCE_MS : Infinity;
}
