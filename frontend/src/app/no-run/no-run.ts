// What stands in place of the panes while no run can be shown, and why. Lives until one can.
import { Component, computed, effect, inject, untracked } from '@angular/core';
import { ApiClient, type Repeated } from '../api/client';
import { Host } from '../host/host';
import { Logdir } from '../state/logdir';
import { Poller } from '../state/poller';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { SearchedDirectories } from './searched-directories';

const SEARCHING_PATIENCE_MS = 2_000;
const IDLE_PATIENCE_MS = 15_000;

@Component({
  selector: 'tbd-no-run',
  imports: [SearchedDirectories],
  templateUrl: './no-run.html',
  styleUrl: './no-run.css',
  host: { role: 'main' },
})
export class NoRun {
  readonly #client = inject(ApiClient);
  readonly #host = inject(Host);
  protected readonly runs = inject(Runs);
  protected readonly logdir = inject(Logdir);
  protected readonly selection = inject(Selection);
  protected readonly search = new Poller({
    ask: (signal, former: Repeated<'/logdir'> | null) =>
      this.#client.getAgain('/logdir', signal, former),
    patience: ({ payload: { searching } }) =>
      searching ? SEARCHING_PATIENCE_MS : IDLE_PATIENCE_MS,
  });

  protected readonly newest = computed(() => this.runs.all()?.[0] ?? null);
  protected readonly sampleLogdir = computed(
    () => `"${this.search.answer()?.payload.logdir || '/path/to/logdir'}"`,
  );

  readonly #runsAreKnown = computed(() => this.runs.all() !== null);

  constructor() {
    effect((onCleanup) => {
      this.#host.reloads();
      if (!this.#host.visible() || !this.#runsAreKnown()) return;
      untracked(() => this.search.wake());
      onCleanup(() => this.search.pause());
    });
    // Each of the two waits its own time: a run that the search has found is not waited for.
    effect(() => {
      if (this.search.answer()?.payload.num_runs) untracked(() => this.runs.askAgain());
    });
  }
}
