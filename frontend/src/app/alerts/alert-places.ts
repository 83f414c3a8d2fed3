// Where the focused alert stands in the list, which leaves out muted ones: an alert keeps its number, but not its place. Looked
// up in the rows in view or in what was stepped to, and only else asked for. Lives as long as the pane.
import { computed, linkedSignal, type Signal } from '@angular/core';
import type { PagedRows } from '../state/paged-rows';
import { readOfRun } from '../state/run-read';
import type { Alert } from './alert-words';

export interface AlertPlacesOptions {
  readonly rows: PagedRows<Alert>;
  /** The rules in force. */
  readonly rules: () => readonly string[];
  /** The alert's number among all. */
  readonly focused: () => number | null;
  readonly ask: (alert: number, signal: AbortSignal) => Promise<{ readonly at: number | null }>;
}

interface Met {
  readonly alert: number;
  readonly place: number | null;
}

export class AlertPlaces {
  /** The focused alert's place among those that are not muted; null where it is muted, or not known. */
  readonly focused: Signal<number | null>;
  /** Whether the focused alert is known to be muted. */
  readonly isMuted: Signal<boolean>;

  /** What is known under the rules in force. */
  readonly #met;

  /** Must be made in an injection context. */
  constructor(options: AlertPlacesOptions) {
    const list = computed(() => JSON.stringify([options.rules(), options.rows.total()]));
    const inView = computed<Met | null>(() => {
      const alert = options.focused();
      const { begin } = options.rows.viewport();
      const offset = options.rows
        .rows()
        .findIndex((row) => row !== undefined && row.index === alert);
      return alert === null || offset < 0 ? null : { alert, place: begin + offset };
    });
    this.#met = linkedSignal<
      { list: string; found: Met | null },
      { list: string; met: Met | null }
    >({
      source: () => ({ list: list(), found: inView() }),
      computation: ({ list, found }, previous) => {
        const former = previous?.value.list === list ? previous.value.met : null;
        return { list, met: found ?? former };
      },
    });
    const asked = readOfRun({
      question: () => {
        const alert = options.focused();
        const known = this.#met().met;
        return alert === null || !options.rules().length || known?.alert === alert
          ? null
          : { alert, list: list() };
      },
      ask: async (_, { alert }, signal) => ({
        alert,
        place: (await options.ask(alert, signal)).at,
      }),
    });
    const known = computed<Met | null>(() => {
      const alert = options.focused();
      if (alert === null) return null;
      if (!options.rules().length) return { alert, place: alert };
      const { met } = this.#met();
      if (met?.alert === alert) return met;
      const answer = asked.pending() ? null : asked.answer();
      return answer?.alert === alert ? answer : null;
    });
    this.focused = computed(() => known()?.place ?? null);
    this.isMuted = computed(() => known() !== null && known()?.place === null);
  }

  /** An alert was found at a place. */
  meet(alert: number, place: number): void {
    this.#met.update(({ list }) => ({ list, met: { alert, place } }));
  }
}
