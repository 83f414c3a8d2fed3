// The frame of a pane: its heading, its maximise button, and a text wherever there is nothing to show. The pane inside owns
// its state and its content.
//
//   <tbd-pane heading="Alerts" [note]="'123'" [state]="state()" (retry)="rows.retry()">
//     <button pane-header …>       to the right in the heading's row
//     <div pane-bar …>             a row below the heading that does not scroll, shown in every state
//     …                            the body, shown when ready; it scrolls within itself
//   </tbd-pane>
import { Component, computed, ElementRef, inject, input, output, viewChild } from '@angular/core';
import { MaximisedPane } from './maximised-pane';
import { type PaneState, READY } from './pane-state';
import { ProblemPanel } from './problem-panel';

@Component({
  selector: 'tbd-pane',
  templateUrl: './pane.html',
  styleUrl: './pane.css',
  host: {
    '[class.maximised]': 'maximised()',
    '[class.behind]': 'behind()',
  },
})
export class Pane {
  readonly #maximisedPane = inject(MaximisedPane);
  protected readonly problems = inject(ProblemPanel);

  /** The heading, and the accessible name of the region. */
  readonly heading = input.required<string>();
  /** What the pane shows at the moment, after its heading: a count, a range. */
  readonly note = input<string>('');
  readonly state = input<PaneState>(READY);
  /** Whether newer content is on its way while the present is shown. */
  readonly busy = input(false);
  /** The user wants a failed request to be tried again. */
  readonly retry = output();

  private readonly body = viewChild<ElementRef<HTMLElement>>('body');
  protected readonly maximised = computed(() => this.#maximisedPane.heading() === this.heading());
  protected readonly behind = computed(
    () => this.#maximisedPane.heading() !== null && !this.maximised(),
  );

  /** Scrolls the body, and nothing else, as little as brings a part of it into view. */
  reveal(part: Element, covered: { readonly atBottom: number }): void {
    const body = this.body()?.nativeElement;
    if (!body) return;
    const view = body.getBoundingClientRect();
    const { top, bottom } = part.getBoundingClientRect();
    const above = view.top - top;
    const below = bottom - (view.bottom - covered.atBottom);
    if (above > 0) body.scrollTop -= above;
    else if (below > 0) body.scrollTop += Math.min(below, -above);
  }

  protected maximiseOrRestore(): void {
    if (this.maximised()) this.#maximisedPane.restore();
    else this.#maximisedPane.maximise(this.heading());
  }
}
