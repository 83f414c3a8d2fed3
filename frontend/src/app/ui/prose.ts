// A sentence or two in which `code` stands between backticks.
import { Component, computed, input } from '@angular/core';

@Component({
  selector: 'tbd-prose',
  template: `
    @for (part of parts(); track $index) {
      @if ($odd) {
        <code>{{ part }}</code>
      } @else {
        <span>{{ part }}</span>
      }
    }
  `,
  styles: `
    code {
      border-radius: 3px;
      padding: 0 3px;
      background: var(--chip);
      font: 0.92em var(--mono);
    }
  `,
})
export class Prose {
  readonly text = input.required<string>();
  protected readonly parts = computed(() => this.text().split('`'));
}
