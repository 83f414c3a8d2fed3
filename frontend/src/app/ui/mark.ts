// A small sign that something is amiss here: what, in a tooltip and for a screen reader.
import { Component, input } from '@angular/core';

@Component({
  selector: 'tbd-mark',
  template: `
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d="M6 1.2 11.3 10.6H.7Z" />
      <path class="sign" d="M6 4.6v2.6M6 8.8v.2" />
    </svg>
  `,
  host: { role: 'img', '[attr.aria-label]': 'text()', '[title]': 'text()' },
  styles: `
    :host {
      display: inline-flex;
      flex: none;
      height: 12px;
      vertical-align: -1px;
      cursor: help;
    }
    svg {
      width: 12px;
      height: 12px;
      fill: var(--accent-soft);
      stroke: var(--warn);
      stroke-width: 1;
      stroke-linejoin: round;
    }
    .sign {
      stroke-linecap: round;
      stroke-width: 1.2;
    }
  `,
})
export class Mark {
  readonly text = input.required<string>();
}
