// One graph execution as a row of cells. What is selected and which input it is are told to it; it owns nothing.
import { Component, computed, input, output } from '@angular/core';
import type { Schema } from '../api/client';
import type { AlertRole } from '../state/alert-roles';
import { GapLine } from '../ui/gap-line';
import { barParts, HealthBar } from '../ui/health-bar';
import { countText, shortCountText } from '../ui/number-text';
import { Mark } from '../ui/mark';
import { OpName, saysType } from '../ui/op-name';
import { type CauseLink, RoleMark } from '../ui/role-mark';
import { healthWords, rankText, ValueCounts } from '../ui/tensor-health';
import type { Trace } from './trace-list';

@Component({
  selector: 'tbd-trace-row',
  imports: [GapLine, HealthBar, Mark, OpName, RoleMark, ValueCounts],
  template: `
    <span role="gridcell" class="index mono">
      @if (gap(); as gap) {
        <tbd-gap-line [text]="gap" [atTop]="trace().index === 0" />
      }
      @if (selected()) {
        <span class="marker" aria-hidden="true">▶</span>
      }
      {{ trace().index }}
    </span>
    <span role="gridcell" class="tensor">
      @if (inputTag(); as tag) {
        <span class="tag input-tag" title="Input of the selected op">{{ tag }}</span>
      }
      <span class="named">
        <tbd-op-name class="name" [name]="name()" />&ngsp;
        @if (!trace().op_type) {
          <tbd-mark
            text="The creation of this op is not on disk: its type, inputs and stack are not known."
          />
        }
        @if (!typeIsSaid()) {
          <span class="tag op-type">{{ trace().op_type || 'unknown op' }}</span>
        }
      </span>
      @if (passes(); as passes) {
        <button
          type="button"
          class="tag passes"
          [attr.aria-label]="passesTitle()"
          [title]="passesTitle()"
          (click)="expanded.emit(trace().index); $event.stopPropagation()"
        >
          ×{{ countText(passes.num_passes) }}
        </button>
        @if (passes.first_bad_index !== null) {
          <button
            type="button"
            class="tag bad passes"
            [attr.aria-label]="badPassesTitle()"
            [title]="badPassesTitle()"
            (click)="expanded.emit(passes.first_bad_index); $event.stopPropagation()"
          >
            {{ countText(passes.num_bad) }} bad <span aria-hidden="true">→</span>
          </button>
        }
      }
      @if (role(); as role) {
        <tbd-role-mark [role]="role" (wentBack)="wentBack.emit($event)" />
      }
    </span>
    <span role="gridcell" class="dtype mono dim">{{ health()?.dtype }}</span>
    <span role="gridcell" class="extent mono dim">
      @if (shape(); as shape) {
        <span class="shape">{{ shape }}</span>
      } @else {
        <span>{{ rank() }}</span> <span class="size">{{ size() }}</span>
      }
    </span>
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
  /** What the row stands for besides the trace, the first of them. */
  readonly passes = input<Schema<'Passes'> | null>(null);
  readonly selected = input(false);
  /** "in 0" where the row holds an input of the selected one. */
  readonly inputTag = input('');
  readonly ofSelectedCall = input(false);
  /** What is missing between the row above and this one; empty for nothing. */
  readonly gap = input('');
  /** What its alert is to others; null where that is not known, or there is none. */
  readonly role = input<AlertRole | null>(null);
  /** Whether the list shows shapes in place of ranks and sizes. */
  readonly shapes = input(false);
  /** The user wants to see all passes, at the one of this index. */
  readonly expanded = output<number>();
  /** The user wants to go to where its bad values came from. */
  readonly wentBack = output<CauseLink>();

  protected readonly health = computed(() => this.trace().health);
  protected readonly name = computed(() => `${this.trace().op_name}:${this.trace().output_slot}`);
  protected readonly typeIsSaid = computed(() =>
    saysType(this.trace().op_name, this.trace().op_type),
  );
  protected readonly drawn = computed(() => {
    const health = this.health();
    return health !== null && barParts(health).length > 0;
  });
  /** "[24,10]" where the list shows shapes; else the rank and the size stand in its place. */
  protected readonly shape = computed(() => {
    const shape = this.shapes() ? this.health()?.shape : null;
    return shape ? `[${shape.map((length) => length ?? '?').join(',')}]` : '';
  });
  protected readonly rank = computed(() => {
    const health = this.health();
    return health ? rankText(health) : '';
  });
  protected readonly size = computed(() => {
    const size = this.health()?.size ?? null;
    return size === null ? '' : shortCountText(size);
  });
  protected readonly countText = countText;
  protected readonly passesTitle = computed(() => {
    const passes = this.passes();
    return passes
      ? `Computed ${countText(passes.num_passes)} times in this call; the values are those of the first. List them all`
      : '';
  });
  protected readonly badPassesTitle = computed(() => {
    const passes = this.passes();
    return passes
      ? `NaN or ∞ in ${countText(passes.num_bad)} of ${countText(passes.num_passes)}. Go to the first, #${passes.first_bad_index}`
      : '';
  });
  protected readonly words = computed(() => {
    const { op_type, device_name, health } = this.trace();
    const values = health && healthWords(health);
    return [`${this.name()} (${op_type || 'unknown op'})`, values, device_name, this.gap()]
      .filter(Boolean)
      .join('\n');
  });
}
