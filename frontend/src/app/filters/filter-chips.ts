// The active parts of a filter in one line, each with a button that takes it away. It owns nothing.
import { Component, input, output } from '@angular/core';
import type { FilterChip } from './filter-words';

@Component({
  selector: 'tbd-filter-chips',
  template: `
    @for (chip of chips(); track chip.text) {
      <span class="chip" [class.bad]="chip.bad" [title]="chip.title">
        <span class="text"
          ><bdi>{{ chip.text }}</bdi></span
        >
        <button
          type="button"
          [attr.aria-label]="'Remove filter ' + chip.text"
          title="Remove"
          (click)="removed.emit(chip)"
        >
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m4.5 4.5 7 7m0-7-7 7" /></svg>
        </button>
      </span>
    }
    @if (chips().length > 1) {
      <button type="button" class="link-button clear" (click)="cleared.emit()">Clear all</button>
    }
    <ng-content />
  `,
  styles: `
    :host {
      display: flex;
      flex: none;
      flex-wrap: wrap;
      gap: 4px 6px;
      align-items: center;
      padding: 0 var(--gap) 6px;
      font-size: 12px;
    }
    .chip {
      display: inline-flex;
      align-items: center;
      min-width: 0;
      max-width: 100%;
      height: 22px;
      padding-left: 8px;
      border-radius: 99px;
      background: var(--chip);
    }
    .bad {
      background: var(--bad-soft);
    }
    .text {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .chip button {
      display: grid;
      flex: none;
      place-items: center;
      width: 22px;
      height: 22px;
      padding: 0;
      border: 0;
      border-radius: 99px;
      background: none;
      color: var(--dim);
      cursor: pointer;
    }
    .chip button:hover {
      color: var(--text);
    }
    svg {
      width: 12px;
      height: 12px;
      fill: none;
      stroke: currentcolor;
      stroke-width: 1.6;
      stroke-linecap: round;
    }
    .clear {
      margin-left: 2px;
    }
  `,
})
export class FilterChips {
  readonly chips = input.required<readonly FilterChip[]>();
  readonly removed = output<FilterChip>();
  readonly cleared = output();
}
