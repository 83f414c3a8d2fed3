// A small bar of a tensor's values by kind: bad, negative, zero, positive. A picture of numbers that stand beside it as text,
// so it has no name of its own. Empty where the mode counts nothing.
import { Component, computed, input } from '@angular/core';
import { badValues, countedValues, type TensorHealth } from './tensor-health';

/** A stretch of the bar; its length is in values. */
export interface BarPart {
  readonly kind: 'bad' | 'negative' | 'zero' | 'positive' | 'finite';
  readonly count: number;
}

/** The parts from left to right. `finite` are numbers of which the mode does not tell the sign. */
export function barParts(health: TensorHealth): BarPart[] {
  const bad = badValues(health).reduce((sum, { count }) => sum + count, 0);
  const signs = countedValues(health).flatMap(({ kind, count }): BarPart[] =>
    kind === 'negative' || kind === 'zero' || kind === 'positive' ? [{ kind, count }] : [],
  );
  const signsKnown = health.num_zero !== null;
  const finite = signsKnown || health.num_nan === null ? 0 : (health.size ?? 0) - bad;
  return [
    ...(bad ? [{ kind: 'bad', count: bad } as const] : []),
    ...signs,
    ...(finite > 0 ? [{ kind: 'finite', count: finite } as const] : []),
  ];
}

@Component({
  selector: 'tbd-health-bar',
  template: `
    @for (part of parts(); track part.kind) {
      <i [class]="part.kind" [style.flex-grow]="part.count"></i>
    }
  `,
  host: { 'aria-hidden': 'true', '[class.none]': '!parts().length' },
  styles: `
    :host {
      display: flex;
      height: 8px;
      overflow: hidden;
      border-radius: 3px;
    }
    :host(.none) {
      visibility: hidden;
    }
    i {
      flex: 1 1 0;
      min-width: 1px;
    }
    /* However few, they are seen. */
    .bad {
      flex-shrink: 0;
      min-width: 3px;
      background: var(--bad);
    }
    .negative {
      background: var(--neg);
    }
    .zero,
    .finite {
      background: var(--zero);
    }
    .positive {
      background: var(--pos);
    }
  `,
})
export class HealthBar {
  readonly health = input.required<TensorHealth>();

  protected readonly parts = computed(() => barParts(this.health()));
}
