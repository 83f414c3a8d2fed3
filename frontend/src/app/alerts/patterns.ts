// Patterns: what is amiss over many calls, a foldable row a kind, below the alerts of single tensors. A click selects the
// last event that shows it.
import { Component, computed, inject, input, linkedSignal, signal } from '@angular/core';
import { remember, remembered } from '../host/remembered';
import { VersionsDialog } from '../retracing/versions-dialog';
import { eventOfAlert } from '../state/alert-roles';
import { Selection } from '../state/selection';
import type { SelectedEvent } from '../state/view';
import { countOf, countText } from '../ui/number-text';
import { Prose } from '../ui/prose';
import { FoundPatterns } from './found-patterns';
import { PatternSwitches } from './pattern-switches';
import { guideHref, type Pattern, patternLine, patternName, patternTitle } from './pattern-words';

const SHOWN_AT_FIRST = 20;
const SHOWN_MORE = 100;

@Component({
  selector: 'tbd-patterns',
  imports: [Prose, VersionsDialog],
  templateUrl: './patterns.html',
  styleUrl: './patterns.css',
  host: { '[class.alone]': 'alone()' },
})
export class PatternsSection {
  protected readonly patterns = inject(FoundPatterns);
  protected readonly switches = inject(PatternSwitches);
  readonly #selection = inject(Selection);

  /** Whether it is all that the pane shows: it is then open, unless the user has folded it. */
  readonly alone = input(false);

  readonly #chosen = signal(remembered('patterns'));
  protected readonly unfolded = computed(() =>
    this.#chosen() === null ? this.alone() : this.#chosen() === 'open',
  );
  protected readonly missing = computed(() =>
    this.patterns.groups().filter(({ kind }) => kind.num_alerts === 0),
  );
  /** The kind that the user has opened; "" for none. */
  readonly #opened = linkedSignal<unknown, string | null>({
    source: this.#selection.run,
    computation: () => null,
  });
  /** The kind whose alerts are listed. */
  protected readonly opened = computed(
    () => this.#opened() ?? this.patterns.found()[0]?.kind.kind ?? '',
  );
  protected readonly most = linkedSignal({
    source: this.opened,
    computation: () => SHOWN_AT_FIRST,
  });
  /** The function whose versions are compared. */
  protected readonly compared = signal<Pattern | null>(null);

  protected readonly countOf = countOf;
  protected readonly countText = countText;
  protected readonly line = patternLine;
  protected readonly name = patternName;
  protected readonly title = patternTitle;
  protected readonly guideHref = guideHref;

  protected toggle(): void {
    this.#chosen.set(this.unfolded() ? 'folded' : 'open');
    remember('patterns', this.#chosen() ?? '');
  }

  protected toggleKind(kind: string): void {
    this.#opened.set(this.opened() === kind ? '' : kind);
  }

  protected showMore(): void {
    this.most.update((most) => most + SHOWN_MORE);
  }

  protected isSelected(pattern: Pattern): boolean {
    const event = eventOfAlert(pattern);
    const selected = this.#selection.event();
    return (
      event !== null &&
      (selected?.kind === 'trace' || selected?.kind === 'execution') &&
      selected.kind === event.kind &&
      'index' in event &&
      selected.index === event.index
    );
  }

  protected select(event: SelectedEvent): void {
    this.#selection.select(event);
  }

  protected pick(pattern: Pattern): void {
    const event = eventOfAlert(pattern);
    if (event) this.select(event);
  }
}
