// What is in a button that goes one further, or a page: an arrow.
import { Component, computed, input } from '@angular/core';

const ARROWS = {
  back: 'M10 3.5 5.5 8l4.5 4.5',
  on: 'M6 3.5 10.5 8 6 12.5',
  'page back': 'M8 3.5 3.5 8 8 12.5M12.5 3.5 8 8l4.5 4.5',
  'page on': 'M8 3.5 12.5 8 8 12.5M3.5 3.5 8 8l-4.5 4.5',
} as const;

@Component({
  selector: 'button[tbdStep]',
  template: `<svg viewBox="0 0 16 16" aria-hidden="true"><path [attr.d]="arrow()" /></svg>`,
  host: { type: 'button', class: 'icon-button', '[attr.aria-label]': 'label()' },
})
export class StepButton {
  readonly tbdStep = input.required<keyof typeof ARROWS>();
  /** The button's name: "Previous alert". */
  readonly label = input.required<string>();

  protected readonly arrow = computed(() => ARROWS[this.tbdStep()]);
}
