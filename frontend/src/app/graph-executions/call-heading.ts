// The heading of the traces of one graph in one call, with a link to the call. It owns nothing.
import { Component, computed, inject, input } from '@angular/core';
import type { Schema } from '../api/client';
import type { ExecutionIndex } from '../api/indices';
import { RunProblems } from '../state/run-problems';
import { Selection } from '../state/selection';
import { GapLine } from '../ui/gap-line';
import { Mark } from '../ui/mark';
import { headingText } from './heading-text';

@Component({
  selector: 'tbd-call-heading',
  imports: [GapLine, Mark],
  template: `
    @let heading = text();
    @if (gap(); as gap) {
      <tbd-gap-line [text]="gap" [atTop]="isFirst()" />
    }
    <span class="graph" role="gridcell">
      <b>{{ heading.graph }}</b> —
      @if (heading.call !== null) {
        {{ heading.relation }}
        <button
          type="button"
          class="link-button"
          title="Select this execution in the timeline"
          (click)="selectCall(heading.call); $event.stopPropagation()"
        >
          call {{ heading.call }}</button
        >{{ heading.of && ' of ' + heading.of }}
      } @else {
        {{ heading.relation }}
      }
      @if (problem(); as problem) {
        <tbd-mark [text]="problem" />
      }
    </span>
  `,
  styles: `
    :host {
      position: relative;
      display: flex;
      align-items: center;
      height: var(--row-height);
      padding: 0 var(--trace-padding);
      border-bottom: 1px solid var(--line);
      background: var(--raised);
      color: var(--dim);
      font-size: 12px;
    }
    :host(.selected) {
      background: var(--accent-soft);
    }
    .graph {
      min-width: 0;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    b {
      color: var(--text);
      font-weight: 500;
    }
  `,
  host: { role: 'row', '[class.selected]': 'ofSelectedCall()' },
})
export class CallHeading {
  readonly #selection = inject(Selection);
  readonly #problems = inject(RunProblems);

  readonly call = input.required<Schema<'CallHeader'>>();
  readonly ofSelectedCall = input(false);
  /** What is missing between the row above and this one; empty for nothing. */
  readonly gap = input('');
  readonly isFirst = input(false);

  protected readonly text = computed(() => headingText(this.call()));
  protected readonly problem = computed(() =>
    this.#problems.ofGraph(this.call().graph_id, 'graphs_without_ops'),
  );

  protected selectCall(index: ExecutionIndex): void {
    this.#selection.select({ kind: 'execution', index });
  }
}
