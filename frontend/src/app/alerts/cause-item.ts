// One root cause: where it is, what was seen, what helps, and the steps from it to the damage. The event of a step is
// selected by who shows it.
import { Component, computed, input, output } from '@angular/core';
import { countOf, countText } from '../ui/number-text';
import { StepButton } from '../ui/step-button';
import { CauseText } from './cause-text';
import {
  callOf,
  type CauseLink,
  confidenceOf,
  doubtOf,
  functionOf,
  lineOf,
  linkName,
  type RootCause,
} from './cause-words';

@Component({
  selector: 'tbd-cause-item',
  imports: [CauseText, StepButton],
  template: `
    @let shown = cause();
    <p class="what">
      <b>{{ shown.op_type }}</b>
      @if (functionName()) {
        in <code>{{ functionName() }}</code>
      }
      @if (line()) {
        · <span class="line" [title]="path()">{{ line() }}</span>
      }
    </p>
    @if (forwardLine()) {
      <p class="quiet">gradient of the op at {{ forwardLine() }}</p>
    }
    <p class="quiet">
      @if (call()) {
        {{ call() }} ·
      }
      {{ countOf(shown.num_alerts, 'alert') }} ·
      <span [title]="confidence().meaning">{{ confidence().text }}</span>
    </p>
    <div class="steps">
      <button
        type="button"
        class="button small"
        [class.primary]="!shown.is_harmless"
        [attr.aria-label]="'Show ' + name()"
        title="Select it, its line and its stack"
        (click)="picked.emit({ link: shown, step: false })"
      >
        Show
      </button>
      @if (shown.chain.length > 1) {
        <div class="chain" role="group" [attr.aria-label]="'From ' + name() + ' to the damage'">
          <button
            tbdStep="back"
            label="Previous step to the damage"
            title="Back towards the cause"
            [disabled]="at() <= 0"
            (click)="stepTo(at() - 1)"
          ></button>
          <span class="place" role="status" [title]="placeTitle()">{{ place() }}</span>
          <button
            tbdStep="on"
            label="Next step to the damage"
            title="Step through to the damage"
            [disabled]="at() === shown.chain.length - 1"
            (click)="stepTo(at() < 0 ? 1 : at() + 1)"
          ></button>
        </div>
      }
    </div>
    @if (opened()) {
      <tbd-cause-text [evidence]="shown.evidence" [advice]="shown.advice" />
    } @else {
      <details>
        <summary>Evidence and advice</summary>
        <p>{{ shown.evidence }}</p>
        @if (shown.advice) {
          <p><b>What helps:</b> {{ shown.advice }}</p>
        }
      </details>
    }
  `,
  styleUrl: './cause-item.css',
})
export class CauseItem {
  readonly cause = input.required<RootCause>();
  /** Whether evidence and advice are to be seen without being asked for. */
  readonly opened = input(false);
  /** The selected alert. */
  readonly focused = input.required<number | null>();
  /** What to select; a step is one of a series. */
  readonly picked = output<{ readonly link: CauseLink; readonly step: boolean }>();

  protected readonly functionName = computed(() => functionOf(this.cause()));
  protected readonly line = computed(() => lineOf(this.cause()));
  protected readonly forwardLine = computed(() => lineOf({ source: this.cause().forward_source }));
  protected readonly call = computed(() => callOf(this.cause()));
  protected readonly path = computed(() => this.cause().source?.file_path ?? '');
  protected readonly confidence = computed(() => confidenceOf(this.cause()));
  protected readonly name = computed(() =>
    [this.cause().op_type, this.functionName() && `in ${this.functionName()}`, this.line()]
      .filter(Boolean)
      .join(' '),
  );
  /** Which step is selected; 0: the cause itself, -1: none. */
  protected readonly at = computed(() =>
    this.cause().chain.findIndex((link) => link.alert_index === this.focused()),
  );
  protected readonly place = computed(() => {
    const { chain } = this.cause();
    const at = this.at();
    const link = chain[at];
    const steps = chain.length - 1;
    if (!link || at === 0) return `${countOf(steps, 'step')} to damage`;
    const doubt = doubtOf(link);
    return `step ${countText(at)} of ${countText(steps)}${doubt && ` · ${doubt}`}`;
  });
  protected readonly placeTitle = computed(() => {
    const link = this.cause().chain[this.at()];
    if (!link || this.at() === 0) return this.place();
    const why = link.is_guess ? '. How it came from the step before is not recorded.' : '';
    return `${this.place()}, to the damage: ${linkName(link)}${why}`;
  });
  protected readonly countOf = countOf;

  protected stepTo(at: number): void {
    const link = this.cause().chain[at];
    if (link) this.picked.emit({ link, step: true });
  }
}
