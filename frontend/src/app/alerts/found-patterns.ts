// The patterns of the shown run that are not muted. Asked again when a growing run has a quarter more events, and when it has
// ended: what is seen over many calls does not change with each. Lives as long as the page.
import { computed, inject, Service } from '@angular/core';
import { ApiClient } from '../api/client';
import { Mutes } from '../state/mutes';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { groupsOf } from './pattern-words';
import { PatternSwitches } from './pattern-switches';

const GROWTH = 1.25;

@Service()
export class FoundPatterns {
  readonly #client = inject(ApiClient);
  readonly #mutes = inject(Mutes);
  readonly #runs = inject(Runs);
  readonly #switches = inject(PatternSwitches);

  readonly read = readOfRun({
    question: () => {
      const run = this.#runs.selected();
      const rules = this.#mutes.rules();
      if (!run || !rules) return null;
      const events = run.num_executions + run.num_graph_executions;
      const size = Math.floor(Math.log(1 + events) / Math.log(GROWTH));
      return { size, status: run.status, rules };
    },
    ask: (run, { rules }, signal) =>
      this.#client.get('/alerts/patterns', signal, { run, mute: [...rules] }),
  });
  readonly groups = computed(() => groupsOf(this.read.answer() ?? { kinds: [], alerts: [] }));
  /** Kinds that were found, be it only as healthy programs show them. */
  readonly found = computed(() =>
    this.groups().filter(({ kind }) => kind.num_alerts + kind.num_usual > 0),
  );
  /** Of the kinds that are switched on, without what healthy programs show too. */
  readonly total = computed(() =>
    this.found()
      .filter(({ kind }) => this.#switches.isOn(kind.kind))
      .reduce((sum, { kind }) => sum + kind.num_alerts, 0),
  );
}
