// The root causes of the shown run's alerts that are not muted. Asked once for a number of alerts, not on every poll, and while
// the run is read or written not for every one. Lives as long as the page, and finds nothing while there are no alerts.
import { computed, inject, Service } from '@angular/core';
import { ApiClient } from '../api/client';
import { Mutes } from './mutes';
import { readOfRun } from './run-read';
import { Runs } from './runs';
import { Selection } from './selection';
import { steady } from './steady';
import type { SourcePosition } from './view';

/** The causes of a run that grows are looked for this often at most. */
const STEADY_MS = 5000;

@Service()
export class FoundCauses {
  readonly #client = inject(ApiClient);
  readonly #mutes = inject(Mutes);
  readonly #run = inject(Selection).run;
  readonly #runs = inject(Runs);

  readonly #steadyAlerts = steady(() => this.#runs.selected()?.num_alerts ?? 0, {
    of: () => `${this.#run()} ${this.#runs.replacements()}`,
    calm: () => !['loading', 'live'].includes(this.#runs.selected()?.status ?? ''),
    everyMs: STEADY_MS,
  });
  readonly read = readOfRun({
    question: () => {
      const rules = this.#mutes.rules();
      return rules && this.#steadyAlerts() ? { alerts: this.#steadyAlerts(), rules } : null;
    },
    ask: (run, { rules }, signal) =>
      this.#client.get('/root_causes', signal, { run, mute: [...rules] }),
  });
  readonly harmful = computed(
    () => this.read.answer()?.causes.filter((cause) => !cause.is_harmless) ?? [],
  );
  readonly harmless = computed(
    () => this.read.answer()?.causes.filter((cause) => cause.is_harmless) ?? [],
  );
  /** The line of the first cause that does harm and whose line is known; null while there is none. */
  readonly firstLine = computed<SourcePosition | null>(() => {
    const source = this.harmful().find((cause) => cause.source)?.source;
    return source
      ? { hostName: source.host_name, filePath: source.file_path, lineno: source.lineno }
      : null;
  });
}
