// How far a run is read, what it holds and whether something is amiss, in one pill; a click tells what that means and what to
// do. Others open it too, through the problem panel.
import { Component, computed, effect, inject, input, untracked, viewChild } from '@angular/core';
import type { Run } from '../state/runs';
import { Dropdown } from '../ui/dropdown';
import { ProblemPanel } from '../ui/problem-panel';
import { ProblemList } from './problem-list';
import { problemsText, shareRead, statusExplanation, statusText } from './run-words';

@Component({
  selector: 'tbd-run-status',
  imports: [Dropdown, ProblemList],
  template: `
    <tbd-dropdown looks="pill status" [highest]="700">
      <span dropdown-button class="shown" [title]="explanation()">
        <i class="dot" aria-hidden="true"></i>
        <span class="numbers">{{ text() }}</span>&ngsp;
        @if (run().status === 'loading') {
          <progress aria-label="Indexed" [value]="share()" max="1"></progress>
        }
        @if (problems(); as problems) {
          <span class="problems" [class.grave]="isGrave()">{{ problems }}</span>
        }
      </span>
      <ng-template #panel><tbd-problem-list [run]="run()" /></ng-template>
    </tbd-dropdown>
  `,
  styles: `
    :host {
      min-width: 0;
    }
    tbd-dropdown ::ng-deep .status {
      max-width: 100%;
      padding-right: 0;
      overflow: hidden;
    }
    tbd-dropdown ::ng-deep .status:hover {
      filter: brightness(0.97);
    }
    .shown {
      display: flex;
      gap: 6px;
      align-items: center;
      height: 100%;
      min-width: 0;
      padding-right: 9px;
    }
    .numbers {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .problems {
      align-content: center;
      align-self: stretch;
      margin-right: -9px;
      padding: 0 9px 0 8px;
      border-left: 1px solid var(--line);
      color: var(--dim);
    }
    .problems.grave {
      background: var(--accent-soft);
      color: var(--text);
    }
    .dot {
      flex: none;
      width: 7px;
      height: 7px;
      border-radius: 50%;
      background: var(--ok);
    }
    progress {
      width: 72px;
      height: 4px;
      border: 0;
      border-radius: 2px;
      overflow: hidden;
      background: var(--line);
      appearance: none;
    }
    progress::-webkit-progress-bar {
      background: var(--line);
    }
    progress::-webkit-progress-value {
      background: var(--accent);
    }
    progress::-moz-progress-bar {
      background: var(--accent);
    }
    @keyframes pulse {
      50% {
        opacity: 0.25;
      }
    }
    :host(.loading) .dot {
      background: var(--line-strong);
    }
    :host(.live) .dot {
      animation: pulse 1.6s ease-in-out infinite;
    }
    :host(.damaged) .dot {
      border-radius: 0;
      background: var(--warn);
      clip-path: polygon(50% 0, 100% 100%, 0 100%);
    }
  `,
  host: { '[class]': 'run().status' },
})
export class RunStatus {
  readonly run = input.required<Run>();
  private readonly dropdown = viewChild.required(Dropdown);

  protected readonly share = computed(() => shareRead(this.run()));
  protected readonly text = computed(() => statusText(this.run()));
  protected readonly explanation = computed(() => statusExplanation(this.run()));
  protected readonly problems = computed(() => problemsText(this.run()));
  protected readonly isGrave = computed(() => this.run().num_problems > this.run().num_notes);

  constructor() {
    const panel = inject(ProblemPanel);
    effect(() => {
      if (panel.asked()) untracked(() => this.dropdown().show());
    });
  }
}
