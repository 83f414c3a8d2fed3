// The runs that TensorBoard found, asked for while the frame is visible. Lives as long as the page.
import { computed, effect, inject, linkedSignal, Service, untracked } from '@angular/core';
import { ApiClient, type Repeated, type Schema } from '../api/client';
import { Host } from '../host/host';
import { Poller } from './poller';
import { Selection } from './selection';

/** A run's state and size, with its name; where it is not read, all that its events would tell is null. */
export type ListedRun = Schema<'RunSummary'> & { readonly name: string };

type Unrecorded = 'start_time' | 'tensorflow_version';
/** A run that is read, or is being read. */
export type Run = {
  readonly [Field in keyof ListedRun]: Field extends 'status'
    ? Exclude<ListedRun['status'], 'unread'>
    : Field extends Unrecorded
      ? ListedRun[Field]
      : NonNullable<ListedRun[Field]>;
};

/** A program that is still writing is looked at this often, however long it says nothing. */
const LIVE_PATIENCE_MS = 10_000;
/** A run that was just chosen is mostly read at once; a large one is asked for ever more rarely. */
const LOADING_PATIENCE_MS = 250;
const LONGEST_LOADING_PATIENCE_MS = 2_000;

@Service()
export class Runs {
  readonly #host = inject(Host);
  readonly #client = inject(ApiClient);
  readonly #selection = inject(Selection);
  readonly #poller = new Poller({
    ask: (signal, former: Repeated<'/runs'> | null) => {
      const run = this.#selection.run();
      return this.#client.getAgain('/runs', signal, former, run === null ? {} : { read: run });
    },
    patience: longestWait,
  });

  /** All runs, newest first; null until the first answer. */
  readonly all = computed(() => {
    const answer = this.#poller.answer();
    return answer && newestFirst(answer.payload);
  });
  /** Why the last request failed; it is asked again by itself. */
  readonly failure = this.#poller.failure;
  /** The selected run; null where there is none of that name (yet). */
  readonly selected = computed<Run | null>(() => {
    const found = this.all()?.find((run) => run.name === this.#selection.run());
    return found ? beingRead(found) : null;
  });

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
      this.#selection.run(); // The one that is asked for is read.
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

function newestFirst(answer: Record<string, Schema<'RunSummary'>>): ListedRun[] {
  return Object.entries(answer)
    .map(([name, run]) => ({ ...run, name }))
    .sort((a, b) => (b.start_time ?? 0) - (a.start_time ?? 0) || (a.name < b.name ? -1 : 1));
}

/** The selected run is asked for: if it is not read yet, that begins. */
function beingRead(run: ListedRun): Run {
  return {
    ...run,
    status: run.status === 'unread' ? 'loading' : run.status,
    bytes_total: run.bytes_total ?? 0,
    num_executions: run.num_executions ?? 0,
    num_graph_executions: run.num_graph_executions ?? 0,
    num_alerts: run.num_alerts ?? 0,
    num_graphs: run.num_graphs ?? 0,
    num_ops: run.num_ops ?? 0,
    num_source_files: run.num_source_files ?? 0,
    num_stack_frames: run.num_stack_frames ?? 0,
    num_problems: run.num_problems ?? 0,
    num_notes: run.num_notes ?? 0,
    problem_kinds: run.problem_kinds ?? [],
    debug_modes: run.debug_modes ?? [],
  };
}

function longestWait({ payload }: Repeated<'/runs'>, place: number): number {
  const statuses = Object.values(payload).map((run) => run.status);
  if (statuses.includes('loading')) {
    return Math.min(LOADING_PATIENCE_MS * 1.5 ** place, LONGEST_LOADING_PATIENCE_MS);
  }
  return statuses.includes('live') ? LIVE_PATIENCE_MS : Infinity;
}
