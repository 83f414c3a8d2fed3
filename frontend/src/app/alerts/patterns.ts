// Patterns: what is amiss over many calls, a foldable row a kind, below the alerts of single tensors. A click selects the
// last event that shows it.
import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, inject, input, linkedSignal, output, signal } from '@angular/core';
import { remember, remembered } from '../host/remembered';
import { VersionsDialog } from '../retracing/versions-dialog';
import { Selection } from '../state/selection';
import type { SelectedEvent } from '../state/view';
import { countOf, countText } from '../ui/number-text';
import { Prose } from '../ui/prose';
import { FoundPatterns } from './found-patterns';
import { PatternSwitches } from './pattern-switches';
import type { MuteQuestion } from './mute-items';
import { PatternList } from './pattern-list';
import { guideHref, type Pattern, usualText } from './pattern-words';

@Component({
  selector: 'tbd-patterns',
  imports: [NgTemplateOutlet, PatternList, Prose, VersionsDialog],
  templateUrl: './patterns.html',
  styleUrl: './patterns.css',
})
export class PatternsSection {
  protected readonly patterns = inject(FoundPatterns);
  protected readonly switches = inject(PatternSwitches);
  readonly #selection = inject(Selection);

  /** Whether it is all that the pane shows: it is then open, unless the user has folded it. */
  readonly alone = input(false);
  readonly muteAsked = output<MuteQuestion>();

  readonly #chosen = signal(remembered('patterns'));
  protected readonly unfolded = computed(() =>
    this.#chosen() === null ? this.alone() : this.#chosen() === 'open',
  );
  readonly #missing = computed(() =>
    this.patterns
      .groups()
      .map(({ kind }) => kind)
      .filter((kind) => kind.num_alerts + kind.num_usual === 0),
  );
  protected readonly notFound = computed(() =>
    this.#missing().filter((kind) => !kind.needs.length),
  );
  /** What the run's debug modes cannot show. */
  protected readonly notRecorded = computed(() =>
    this.#missing().filter((kind) => kind.needs.length),
  );
  /** The kind that the user has opened; "" for none. */
  readonly #opened = linkedSignal<unknown, string | null>({
    source: this.#selection.run,
    computation: () => null,
  });
  /** The kind whose alerts are listed: at first one that no healthy program shows. */
  protected readonly opened = computed(
    () =>
      this.#opened() ??
      this.patterns.found().find(({ kind }) => kind.num_alerts > 0)?.kind.kind ??
      '',
  );
  protected readonly selected = this.#selection.event;
  /** The function whose versions are compared. */
  protected readonly compared = signal<Pattern | null>(null);

  protected readonly countOf = countOf;
  protected readonly countText = countText;
  protected readonly guideHref = guideHref;
  protected readonly usualText = usualText;

  protected toggle(): void {
    this.#chosen.set(this.unfolded() ? 'folded' : 'open');
    remember('patterns', this.#chosen() ?? '');
  }

  protected toggleKind(kind: string): void {
    this.#opened.set(this.opened() === kind ? '' : kind);
  }

  protected select(event: SelectedEvent): void {
    this.#selection.select(event);
  }
}
