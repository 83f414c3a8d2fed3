// What the alerts of the events in view are to others: where bad values came up, where they came from, what is muted. Panes
// tell which events they show; what is not known of these is asked for in one request at a time, while the page is visible.
// Lives as long as the page; forgets all with the run, its alerts or the rules.
import { computed, DestroyRef, effect, inject, linkedSignal, Service, signal } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { executionIndex, traceIndex } from '../api/indices';
import { Host } from '../host/host';
import { Mutes } from './mutes';
import { Runs } from './runs';
import { Selection } from './selection';
import { steady } from './steady';
import type { SelectedEvent } from './view';

export type AlertRole = Schema<'AlertRole'>;

/** All that an answer depends on beside the events. */
interface Topic {
  readonly run: string;
  readonly rules: readonly string[];
  readonly of: readonly number[];
}

interface Request {
  readonly topic: Topic;
  readonly events: readonly string[];
  readonly controller: AbortController;
}

/** What a click on an alert, or on a step from its cause, selects. */
export function eventOfAlert({
  execution_index,
  graph_execution_trace_index,
}: Pick<AlertRole, 'execution_index' | 'graph_execution_trace_index'>): SelectedEvent | null {
  if (graph_execution_trace_index !== null) {
    return { kind: 'trace', index: traceIndex(graph_execution_trace_index) };
  }
  return execution_index === null
    ? null
    : { kind: 'execution', index: executionIndex(execution_index) };
}

const MOST_ASKED = 500;
/** A scroll passes by more than is looked at. */
const REST_MS = 60;
const RETRY_MS = 5_000;
const STEADY_MS = 5_000;

/** "e35", "t71"; null for what has no alert of its own. */
function keyOf(event: SelectedEvent | null): string | null {
  if (event?.kind === 'execution') return `e${event.index}`;
  return event?.kind === 'trace' ? `t${event.index}` : null;
}

@Service()
export class AlertRoles {
  readonly #client = inject(ApiClient);
  readonly #host = inject(Host);
  readonly #runs = inject(Runs);
  readonly #selection = inject(Selection);
  readonly #mutes = inject(Mutes);

  readonly #panes = signal<readonly (() => readonly (SelectedEvent | null)[])[]>([]);
  readonly #numAlerts = steady(() => this.#runs.selected()?.num_alerts ?? 0, {
    of: () => `${this.#selection.run()} ${this.#runs.replacements()}`,
    calm: () => !['loading', 'live'].includes(this.#runs.selected()?.status ?? ''),
    everyMs: STEADY_MS,
  });
  /** Null while there is nothing to ask. */
  readonly #topic = computed<Topic | null>(
    () => {
      const run = this.#selection.run();
      const rules = this.#mutes.rules();
      if (run === null || rules === null || !this.#numAlerts()) return null;
      return { run, rules, of: [this.#runs.replacements(), this.#numAlerts()] };
    },
    { equal: (a, b) => JSON.stringify(a) === JSON.stringify(b) },
  );
  /** By event; null where it has no alert. */
  readonly #known = linkedSignal<unknown, ReadonlyMap<string, AlertRole | null>>({
    source: this.#topic,
    computation: () => new Map<string, AlertRole | null>(),
  });
  readonly #wanted = computed(
    () => {
      if (!this.#host.visible() || !this.#topic()) return [];
      const known = this.#known();
      const shown = this.#panes().flatMap((pane) => pane().map(keyOf));
      const wanted = [...new Set(shown)].filter((event) => event !== null);
      return wanted.filter((event) => !known.has(event)).slice(0, MOST_ASKED);
    },
    { equal: (a, b) => a.join() === b.join() },
  );
  /** The one on its way; it is given up once nothing that it asks for is wanted. */
  #request: Request | null = null;
  /** Why the next one may begin. */
  readonly #ended = signal({ failed: false });

  constructor() {
    effect((onCleanup) => {
      const topic = this.#topic();
      const wanted = this.#wanted();
      const { failed } = this.#ended();
      if (this.#request) {
        const { topic: asked, events } = this.#request;
        if (asked === topic && events.some((event) => wanted.includes(event))) return;
        this.#request.controller.abort();
        this.#request = null;
      }
      if (!topic || !wanted.length) return;
      const timer = setTimeout(() => void this.#ask(topic, wanted), failed ? RETRY_MS : REST_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  /**
   * Must be called in an injection context: what is shown, events with alerts, is asked for as long as that lives.
   */
  follow(shown: () => readonly (SelectedEvent | null)[]): void {
    this.#panes.update((panes) => [...panes, shown]);
    inject(DestroyRef).onDestroy(() =>
      this.#panes.update((panes) => panes.filter((pane) => pane !== shown)),
    );
  }

  /** Null where it is not known, or there is none. */
  of(event: SelectedEvent | null): AlertRole | null {
    return this.#known().get(keyOf(event) ?? '') ?? null;
  }

  async #ask(topic: Topic, events: readonly string[]): Promise<void> {
    const request = { topic, events, controller: new AbortController() };
    this.#request = request;
    const indices = (kind: string) =>
      events
        .filter((event) => event.startsWith(kind))
        .map((event) => event.slice(1))
        .join(',');
    const answer = await this.#client
      .get('/alerts/roles', request.controller.signal, {
        run: topic.run,
        execution_indices: indices('e'),
        graph_execution_trace_indices: indices('t'),
        mute: [...topic.rules],
      })
      // Nothing depends on it but a sign: it is tried again.
      .catch(() => null);
    if (this.#request !== request) return;
    this.#request = null;
    if (answer) {
      const found = new Map([...this.#known(), ...events.map((event) => [event, null] as const)]);
      for (const role of answer.roles) found.set(keyOf(eventOfAlert(role)) ?? '', role);
      this.#known.set(found);
    }
    this.#ended.set({ failed: answer === null });
  }
}
