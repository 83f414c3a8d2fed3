// Where the alerts come from: the root causes above the list of alerts. Owns what is folded and how many are listed; is nothing
// while there are no alerts.
import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, inject, input, linkedSignal, output, signal } from '@angular/core';
import { FoundCauses } from '../state/found-causes';
import { Selection } from '../state/selection';
import { copyText } from '../ui/clipboard';
import { countText } from '../ui/number-text';
import { remember, remembered } from '../host/remembered';
import { CauseItem } from './cause-item';
import { type CauseLink, headlineOf } from './cause-words';
import { limitNotes } from './limit-notes';

const SHOWN_AT_FIRST = 3;
const COPIED_MS = 2000;

@Component({
  selector: 'tbd-causes-card',
  imports: [CauseItem, NgTemplateOutlet],
  templateUrl: './causes-card.html',
  styleUrl: './causes-card.css',
})
export class CausesCard {
  readonly #run = inject(Selection).run;
  readonly #causes = inject(FoundCauses);

  /** The selected alert. */
  readonly focused = input.required<number | null>();
  /** What to select; a step is one of a series. */
  readonly picked = output<{ readonly link: CauseLink; readonly step: boolean }>();

  protected readonly found = this.#causes.read;
  protected readonly harmful = this.#causes.harmful;
  protected readonly harmless = this.#causes.harmless;
  protected readonly headline = computed(() => {
    const answer = this.found.answer();
    return answer ? headlineOf(answer) : '';
  });
  protected readonly shown = computed(() =>
    this.showsAll() ? this.harmful() : this.harmful().slice(0, SHOWN_AT_FIRST),
  );
  protected readonly notes = computed(() => limitNotes(this.found.answer()?.limits ?? []));
  /** Where the first cause is uncertain, what the run cannot tell comes before it. */
  protected readonly leadsWithNotes = computed(() => this.harmful()[0]?.confidence === 'low');
  protected readonly hasBody = computed(
    () => this.harmful().length + this.harmless().length + this.notes().length > 0,
  );
  protected readonly countText = countText;

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
