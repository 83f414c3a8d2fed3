// The shown run, and the list of all to choose another from.
import { Component, computed, inject } from '@angular/core';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { Dropdown } from '../ui/dropdown';
import { startTimeText } from '../ui/time-text';
import { RunList } from './run-list';

@Component({
  selector: 'tbd-run-picker',
  imports: [Dropdown, RunList],
  template: `
    <tbd-dropdown #dropdown [label]="'Run ' + (selection.run() ?? 'none') + ', choose another'">
      <span dropdown-button class="shown">
        <span class="name">{{ selection.run() ?? 'No run' }}</span>
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
  protected readonly selection = inject(Selection);
  protected readonly startTime = computed(() => {
    const time = this.#runs.selected()?.start_time;
    return time ? startTimeText(time) : '';
  });
}
