// How far a run is read and what it holds, in one pill.
import { Component, computed, input } from '@angular/core';
import type { Run } from '../state/runs';
import { bytesText, countOf } from '../ui/number-text';

@Component({
  selector: 'tbd-run-status',
  template: `
    <span class="pill" [class]="run().status" [title]="explanation()">
      <i class="dot" aria-hidden="true"></i>
      <span class="numbers">{{ text() }}</span>
      @if (run().status === 'loading') {
        <progress aria-label="Indexed" [value]="share()" max="1"></progress>
      }
    </span>
  `,
  styles: `
    .dot {
      width: 7px;
      height: 7px;
      border-radius: 50%;
      background: var(--ok);
    }
    .loading .dot {
      background: var(--line-strong);
    }
    .live .dot {
      animation: pulse 1.6s ease-in-out infinite;
    }
    .damaged .dot {
      border-radius: 0;
      background: var(--warn);
      clip-path: polygon(50% 0, 100% 100%, 0 100%);
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
  `,
})
export class RunStatus {
  readonly run = input.required<Run>();

  protected readonly share = computed(() => {
    const { bytes_indexed, bytes_total } = this.run();
    return bytes_total > 0 ? bytes_indexed / bytes_total : 0;
  });

  protected readonly text = computed(() => {
    const { status, num_executions, num_graph_executions } = this.run();
    const percent = status === 'loading' ? ` ${Math.floor(this.share() * 100)} %` : '';
    return `${status}${percent} · ${countOf(num_executions + num_graph_executions, 'event')}`;
  });

  protected readonly explanation = computed(() => {
    const run = this.run();
    const read = `${bytesText(run.bytes_indexed)} of ${bytesText(run.bytes_total)} read`;
    switch (run.status) {
      case 'loading':
        return `Reading what is on disk: ${read}`;
      case 'live':
        return `The program is writing, or was until a moment ago: ${read}`;
      case 'complete':
        return `All that was written is shown: ${read}`;
      case 'damaged':
        return `Parts of the files are lost; all the rest is shown: ${read}`;
    }
  });
}
