// What the status of a run means, and its problems: what was seen, what follows from it, and what to do. Made when it opens.
import { afterRenderEffect, Component, computed, ElementRef, inject, input } from '@angular/core';
import { type Problem, RunProblems } from '../state/run-problems';
import type { Run } from '../state/runs';
import { CopyButton } from '../ui/copy-button';
import { bytesText, countOf, countText } from '../ui/number-text';
import { ProblemPanel } from '../ui/problem-panel';
import { Prose } from '../ui/prose';
import { fileNameOf, groupProblems } from './problem-groups';
import { statusExplanation } from './run-words';

/** Of one kind so many are listed. */
const MOST_OF_KIND = 20;
/** Where there are no more kinds than this, all are open from the start. */
const MOST_OPEN = 2;

@Component({
  selector: 'tbd-problem-list',
  imports: [CopyButton, Prose],
  templateUrl: './problem-list.html',
  styleUrl: './problem-list.css',
})
export class ProblemList {
  readonly #panel = inject(ProblemPanel);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly problems = inject(RunProblems);

  readonly run = input.required<Run>();

  protected readonly explanation = computed(() => statusExplanation(this.run()));
  protected readonly groups = computed(() => groupProblems(this.problems.list() ?? []));
  readonly #kinds = computed(() => this.groups().flatMap(({ kinds }) => kinds));
  protected readonly unlisted = computed(
    () => this.run().num_problems - (this.problems.list()?.length ?? 0),
  );

  protected readonly mostOfKind = MOST_OF_KIND;
  protected readonly countOf = countOf;
  protected readonly countText = countText;
  protected readonly bytesText = bytesText;
  protected readonly fileNameOf = fileNameOf;
  #shown: { readonly kind: string } | null = null;

  constructor() {
    // Once the kind that was asked for is there, it is brought into view.
    afterRenderEffect(() => {
      const asked = this.#panel.asked();
      if (!asked || asked === this.#shown || !this.#kinds().length) return;
      this.#shown = asked;
      this.#element.querySelector(`[data-kind="${asked.kind}"]`)?.scrollIntoView();
    });
  }

  /** The guide is text: browsers that can go to a place in one find the kind's own heading. */
  protected guideHref({ docs, kind }: Problem): string {
    return `${docs.split('#')[0] ?? docs}#:~:text=${encodeURIComponent(`(\`${kind}\`)`)}`;
  }

  protected isOpen(kind: string): boolean {
    const [first] = this.#kinds();
    const asked = this.#panel.asked()?.kind;
    return this.#kinds().length <= MOST_OPEN || kind === (asked ?? first?.kind);
  }
}
