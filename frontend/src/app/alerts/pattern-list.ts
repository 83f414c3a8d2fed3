// Patterns of one kind as rows, the first of them until more are asked for. What a row's buttons do is left to who shows the list.
import { Component, computed, input, output, signal } from '@angular/core';
import { eventOfAlert } from '../state/alert-roles';
import type { SelectedEvent } from '../state/view';
import { countOf, countText } from '../ui/number-text';
import { RoleSignIcon } from '../ui/role-mark';
import type { MuteQuestion } from './mute-items';
import { type Pattern, patternLine, patternName, patternTitle } from './pattern-words';

const SHOWN_AT_FIRST = 20;
const SHOWN_MORE = 100;

@Component({
  selector: 'tbd-pattern-list',
  imports: [RoleSignIcon],
  template: `
    <ul [attr.aria-label]="label()">
      @for (pattern of shown(); track $index) {
        <li>
          <div class="row" [class.selected]="isSelected(pattern)">
            <button
              type="button"
              class="entry"
              [attr.aria-current]="isSelected(pattern) || null"
              [disabled]="eventOf(pattern) === null"
              [title]="title(pattern)"
              (click)="pick(pattern)"
            >
              <span class="what">
                <span class="name">{{ name(pattern) }}</span>
                <span class="line">{{ line(pattern) }}</span>
              </span>
              <span class="evidence">{{ pattern.evidence }}</span>
            </button>
            <button
              #bell
              type="button"
              class="bell"
              aria-haspopup="menu"
              [attr.aria-label]="'Mute alerts like ' + name(pattern)"
              title="Mute alerts like this one"
              (click)="muteAsked.emit({ alert: pattern, anchor: bell })"
            >
              <tbd-role-sign sign="muted" />
            </button>
          </div>
          @if (pattern.versions.length) {
            <button type="button" class="button small" (click)="compared.emit(pattern)">
              Compare {{ countOf(pattern.num_versions, 'version') }}
            </button>
          }
        </li>
      }
    </ul>
    @if (patterns().length > most()) {
      <button type="button" class="link-button" (click)="showMore()">Show more</button>
    } @else if (total() > patterns().length) {
      <p class="unlisted">{{ countText(total() - patterns().length) }} more are not listed.</p>
    }
  `,
  styleUrl: './pattern-list.css',
})
export class PatternList {
  readonly label = input.required<string>();
  readonly patterns = input.required<readonly Pattern[]>();
  /** How many there are, listed or not. */
  readonly total = input.required<number>();
  readonly selected = input.required<SelectedEvent | null>();
  /** The last event of a pattern was clicked. */
  readonly picked = output<SelectedEvent>();
  /** The user wants to compare the versions of a function. */
  readonly compared = output<Pattern>();
  readonly muteAsked = output<MuteQuestion>();

  protected readonly most = signal(SHOWN_AT_FIRST);
  protected readonly shown = computed(() => this.patterns().slice(0, this.most()));

  protected readonly countOf = countOf;
  protected readonly countText = countText;
  protected readonly eventOf = eventOfAlert;
  protected readonly line = patternLine;
  protected readonly name = patternName;
  protected readonly title = patternTitle;

  protected showMore(): void {
    this.most.update((most) => most + SHOWN_MORE);
  }

  protected isSelected(pattern: Pattern): boolean {
    const event = eventOfAlert(pattern);
    const selected = this.selected();
    return (
      event !== null &&
      (selected?.kind === 'trace' || selected?.kind === 'execution') &&
      selected.kind === event.kind &&
      'index' in event &&
      selected.index === event.index
    );
  }

  protected pick(pattern: Pattern): void {
    const event = eventOfAlert(pattern);
    if (event) this.picked.emit(event);
  }
}
