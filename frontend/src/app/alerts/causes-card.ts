// Where the alerts come from: the root causes above the list of alerts. Asked once for a number of alerts, not on every
// poll, and while the run is read or written not for every one. Lives as long as the pane, and is nothing while there are no alerts.
import { Component, computed, inject, input, linkedSignal, output, signal } from '@angular/core';
import { ApiClient } from '../api/client';
import { Mutes } from '../state/mutes';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { steady } from '../state/steady';
import { copyText } from '../ui/clipboard';
import { countText } from '../ui/number-text';
import { remember, remembered } from '../host/remembered';
import { RoleSignIcon, SIGNS } from '../ui/role-mark';
import { CauseItem } from './cause-item';
import { type CauseLink, headlineOf } from './cause-words';
import { limitNotes } from './limit-notes';

const SHOWN_AT_FIRST = 3;
const COPIED_MS = 2000;
/** The causes of a run that grows are looked for this often at most. */
const STEADY_MS = 5000;

@Component({
  selector: 'tbd-causes-card',
  imports: [CauseItem, RoleSignIcon],
  templateUrl: './causes-card.html',
  styleUrl: './causes-card.css',
})
export class CausesCard {
  readonly #client = inject(ApiClient);
  readonly #run = inject(Selection).run;
  readonly #runs = inject(Runs);
  readonly #mutes = inject(Mutes);

  readonly numAlerts = input.required<number>();
  /** The selected alert. */
  readonly focused = input.required<number | null>();
  /** What to select; a step is one of a series. */
  readonly picked = output<{ readonly link: CauseLink; readonly step: boolean }>();

  readonly #steadyAlerts = steady(() => this.numAlerts(), {
    of: () => `${this.#run()} ${this.#runs.replacements()}`,
    calm: () => !['loading', 'live'].includes(this.#runs.selected()?.status ?? ''),
    everyMs: STEADY_MS,
  });
  protected readonly found = readOfRun({
    question: () => {
      const rules = this.#mutes.rules();
      return rules && this.#steadyAlerts() ? { alerts: this.#steadyAlerts(), rules } : null;
    },
    ask: (run, { rules }, signal) =>
      this.#client.get('/root_causes', signal, { run, mute: [...rules] }),
  });
  protected readonly headline = computed(() => {
    const answer = this.found.answer();
    return answer ? headlineOf(answer) : '';
  });
  protected readonly harmful = computed(
    () => this.found.answer()?.causes.filter((cause) => !cause.is_harmless) ?? [],
  );
  protected readonly harmless = computed(
    () => this.found.answer()?.causes.filter((cause) => cause.is_harmless) ?? [],
  );
  protected readonly shown = computed(() =>
    this.showsAll() ? this.harmful() : this.harmful().slice(0, SHOWN_AT_FIRST),
  );
  protected readonly notes = computed(() => limitNotes(this.found.answer()?.limits ?? []));
  protected readonly countText = countText;
  protected readonly signs = SIGNS;

  protected readonly folded = signal(remembered('causes') === 'folded');
  protected readonly showsAll = linkedSignal({ source: this.#run, computation: () => false });
  /** The call that has just been copied. */
  protected readonly copied = signal<string | null>(null);

  protected toggle(): void {
    this.folded.update((folded) => !folded);
    remember('causes', this.folded() ? 'folded' : 'open');
  }

  protected async copy(call: string): Promise<void> {
    if (!(await copyText(call))) return;
    this.copied.set(call);
    setTimeout(() => this.copied.set(null), COPIED_MS);
  }
}
