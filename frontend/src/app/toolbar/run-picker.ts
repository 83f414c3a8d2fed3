// The shown run, and the list of all to choose another from.
import { CdkListbox, CdkOption } from '@angular/cdk/listbox';
import { afterRenderEffect, Component, ElementRef, inject, viewChild } from '@angular/core';
import { type Run, Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { Dropdown } from '../ui/dropdown';
import { startTimeText } from '../ui/time-text';

@Component({
  selector: 'tbd-run-picker',
  imports: [CdkListbox, CdkOption, Dropdown],
  template: `
    <tbd-dropdown #dropdown [label]="'Run ' + (selection.run() ?? 'none') + ', choose another'">
      <span dropdown-button class="shown">
        <span class="name">{{ selection.run() ?? 'No run' }}</span>
        @if (startTime(runs.selected()); as time) {
          <span class="dim">{{ time }}</span>
        }
        <span aria-hidden="true">▾</span>
      </span>
      <ng-template #panel>
        <ul
          #list
          cdkListbox
          aria-label="Runs"
          [cdkListboxValue]="[selection.run() ?? '']"
          (cdkListboxValueChange)="showRun($event.value[0]); dropdown.close()"
        >
          @for (run of runs.all(); track run.name) {
            <li [cdkOption]="run.name" [class.selected]="run.name === selection.run()">
              <span class="name">{{ run.name }}</span>
              <span class="dim numbers">{{ startTime(run) }}</span>
              <span class="dim">{{ run.status }}</span>
            </li>
          }
        </ul>
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
    ul {
      display: grid;
      grid-template-columns: minmax(120px, auto) auto auto;
      padding: 4px 0;
      list-style: none;
      outline: none;
    }
    li {
      display: grid;
      grid-template-columns: subgrid;
      grid-column: 1 / -1;
      gap: 16px;
      align-items: center;
      height: var(--row-height);
      padding: 0 var(--gap);
      cursor: pointer;
      white-space: nowrap;
    }
    li:hover,
    li:focus-visible {
      outline-offset: -2px;
    }
    li:hover:not(.selected) {
      background: var(--raised);
    }
  `,
})
export class RunPicker {
  protected readonly runs = inject(Runs);
  protected readonly selection = inject(Selection);
  private readonly list = viewChild<ElementRef<HTMLElement>>('list');

  constructor() {
    // The list takes the focus as it opens, so that arrows and Enter choose.
    afterRenderEffect(() => this.list()?.nativeElement.focus());
  }

  /** Choosing the shown run again deselects it in the list, which changes nothing. */
  protected showRun(name: string | undefined): void {
    if (name !== undefined) this.selection.selectRun(name);
  }

  protected startTime(run: Run | null): string {
    return run?.start_time ? startTimeText(run.start_time) : '';
  }
}
