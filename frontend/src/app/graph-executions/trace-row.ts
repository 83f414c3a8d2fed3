// One graph execution as a row of cells. What is selected and which input it is are told to it; it owns nothing.
import { Component, computed, input } from '@angular/core';
import { barParts, HealthBar } from '../ui/health-bar';
import { countText } from '../ui/number-text';
import { healthWords, rankText, ValueCounts } from '../ui/tensor-health';
import type { Trace } from './trace-list';

@Component({
  selector: 'tbd-trace-row',
  imports: [HealthBar, ValueCounts],
  template: `
    <span role="gridcell" class="index mono">
      @if (selected()) {
        <span class="marker" aria-hidden="true">▶</span>
      }
      {{ trace().index }}
    </span>
    <span role="gridcell" class="tensor">
      @if (inputTag(); as tag) {
        <span class="tag input-tag" title="Input of the selected op">{{ tag }}</span>
      }
      <span class="name"
        ><bdi>{{ name() }}</bdi></span
      >
      <span class="tag op-type">{{ trace().op_type || 'unknown op' }}</span>
    </span>
    <span role="gridcell" class="dtype mono dim">{{ health()?.dtype }}</span>
    <span role="gridcell" class="extent mono dim">{{ extent() }}</span>
    <span role="gridcell" class="values">
      @if (health(); as health) {
        @if (drawn()) {
          <tbd-health-bar [health]="health" />
        }
        <tbd-value-counts [health]="health" />
      } @else {
        <span class="dim">—</span>
      }
    </span>
  `,
  styleUrl: './trace-row.css',
  host: {
    role: 'row',
    '[attr.aria-selected]': 'selected()',
    '[class.selected]': 'selected()',
    '[class.input-of-selected]': '!selected() && inputTag()',
    '[class.of-selected-call]': 'ofSelectedCall()',
    '[title]': 'words()',
  },
})
export class TraceRow {
  readonly trace = input.required<Trace>();
  readonly selected = input(false);
  /** "in 0" where the row holds an input of the selected one. */
  readonly inputTag = input('');
  readonly ofSelectedCall = input(false);
  /** Whether the list shows shapes in place of ranks and sizes. */
  readonly shapes = input(false);

  protected readonly health = computed(() => this.trace().health);
  protected readonly name = computed(() => `${this.trace().op_name}:${this.trace().output_slot}`);
  protected readonly drawn = computed(() => {
    const health = this.health();
    return health !== null && barParts(health).length > 0;
  });
  /** "[24,10]", or "2D 240". */
  protected readonly extent = computed(() => {
    const health = this.health();
    if (!health) return '';
    if (this.shapes() && health.shape) {
      return `[${health.shape.map((length) => length ?? '?').join(',')}]`;
    }
    const size = health.size === null ? '' : countText(health.size);
    return [rankText(health), size].filter(Boolean).join(' ');
  });
  protected readonly words = computed(() => {
    const { op_type, device_name, health } = this.trace();
    const values = health && healthWords(health);
    return [`${this.name()} (${op_type || 'unknown op'})`, values, device_name]
      .filter(Boolean)
      .join('\n');
  });
}
