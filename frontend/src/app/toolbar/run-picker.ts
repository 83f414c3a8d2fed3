// The shown run, and the list of all to choose another from.
import { Component, computed, inject } from '@angular/core';
import { Logdir } from '../state/logdir';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { Dropdown } from '../ui/dropdown';
import { startTimeText } from '../ui/time-text';
import { RunList } from './run-list';

@Component({
  selector: 'tbd-run-picker',
  imports: [Dropdown, RunList],
  template: `
    <tbd-dropdown #dropdown [label]="'Run ' + (title() ?? 'none') + ', choose another'">
      <span dropdown-button class="shown" [title]="fullTitle()">
        <span class="name">{{ title() ?? 'No run' }}</span>
        @if (startTime(); as time) {
          <span class="dim">{{ time }}</span>
        }
        <span aria-hidden="true">▾</span>
      </span>
      <ng-template #panel>
        <tbd-run-list (chosen)="selection.selectRun($event); dropdown.close()" />
      </ng-template>
    </tbd-dropdown>
  `,
  styles: `
    :host {
      min-width: 0;
    }
    .shown {
      display: flex;
      gap: 8px;
      align-items: center;
      max-width: 320px;
    }
    .name {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  `,
})
export class RunPicker {
  readonly #runs = inject(Runs);
  readonly #logdir = inject(Logdir);
  protected readonly selection = inject(Selection);
  protected readonly title = computed(() => {
    const run = this.selection.run();
    return run === null ? null : this.#logdir.titleOf(run);
  });
  protected readonly fullTitle = computed(() =>
    this.#logdir.fullTitleOf(this.selection.run() ?? ''),
  );
  protected readonly startTime = computed(() => {
    const time = this.#runs.selected()?.start_time;
    return time ? startTimeText(time) : '';
  });
}
