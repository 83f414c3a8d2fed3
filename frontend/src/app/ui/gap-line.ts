// A line across the top of a row, where rows are missing. The row has to be positioned.
import { Component, input } from '@angular/core';

@Component({
  selector: 'tbd-gap-line',
  template: `<span class="label" aria-hidden="true">events missing</span>`,
  host: {
    role: 'img',
    '[attr.aria-label]': 'text()',
    '[title]': 'text()',
    '[class.at-top]': 'atTop()',
  },
  styles: `
    :host {
      position: absolute;
      z-index: 1;
      top: -1px;
      right: 0;
      left: 0;
      height: 0;
      border-top: 2px dashed var(--warn);
      cursor: help;
    }
    .label {
      position: absolute;
      top: -9px;
      right: var(--gap);
      border: 1px solid var(--warn);
      border-radius: 99px;
      padding: 0 7px;
      background: var(--bg);
      color: var(--warn);
      font: 500 10px/14px var(--font);
      white-space: nowrap;
    }
    :host(.at-top) .label {
      top: -2px;
    }
  `,
})
export class GapLine {
  readonly text = input.required<string>();
  /** Nothing is above: the label hangs below the line. */
  readonly atTop = input(false);
}
