// A box of the drawing: name, type, and what the outputs hold at the call in view. Owns nothing; who draws it says where it is.
import { Component, computed, inject, input, output } from '@angular/core';
import { AlertRoles, eventOfAlert } from '../state/alert-roles';
import type { SelectedEvent } from '../state/view';
import { barParts, HealthBar } from '../ui/health-bar';
import { Mark } from '../ui/mark';
import { countText } from '../ui/number-text';
import { OpName, saysType } from '../ui/op-name';
import { type CauseLink, RoleMark } from '../ui/role-mark';
import {
  countedValues,
  extentText,
  healthWords,
  isBad,
  rankText,
  shapeText,
  type TensorHealth,
  valueCountText,
} from '../ui/tensor-health';
import { type Box, isBadBox } from './drawing';

@Component({
  selector: 'tbd-op-box',
  imports: [HealthBar, Mark, OpName, RoleMark],
  template: `
    @let shown = box();
    @if (role(); as role) {
      <tbd-role-mark [role]="role" (wentBack)="goBack($event)" />
    }
    <button
      type="button"
      [class]="shown.kind"
      [class.focused]="shown.focused"
      [class.argument]="shown.argument"
      [class.bad]="bad()"
      [attr.data-key]="shown.key"
      [attr.aria-label]="words()"
      [attr.aria-current]="shown.focused || null"
      [attr.aria-disabled]="shown.event === null || null"
      [title]="tooltip()"
      (click)="selectEvent()"
    >
      <span class="heading">
        @if (shown.graphName) {
          <span class="graph">{{ shown.graphName }} ›</span>
        }
        <tbd-op-name class="name" [name]="shown.name" />
        @if (shown.type) {
          @if (!saysType(shown.name, shown.type)) {
            <span class="tag">{{ shown.type }}</span>
          }
        } @else if (shown.lost) {
          <tbd-mark class="lost" [text]="shown.remark" />
        }
      </span>
      @for (value of shown.values; track $index) {
        <span class="value">
          @if (value.slot !== null) {
            <span class="slot">{{ value.slot }}</span>
          }
          @for (text of badTexts(value.health); track text) {
            <span class="bad-count">{{ text }}</span>
          }
          @for (text of finiteTexts(value.health); track text) {
            <span>{{ text }}</span>
          }
          <span class="extent">{{ extent(value.health) }}</span>
        </span>
        @if (shown.values.length === 1 && hasBar(value.health)) {
          <tbd-health-bar [health]="value.health" />
        }
      }
      @if (shown.remark || shown.otherOutputs) {
        <span class="remark">{{ shown.remark || others() }}</span>
      }
    </button>
  `,
  styles: `
    :host {
      position: relative;
      display: block;
      width: max-content;
      max-width: 320px;
    }
    button {
      position: relative;
      display: flex;
      flex-direction: column;
      justify-content: center;
      width: 100%;
      min-width: 168px;
      height: 100%;
      min-height: 42px;
      padding: 4px 11px 5px;
      border: 1.5px solid var(--line);
      border-radius: 8px;
      background: var(--bg);
      color: var(--text);
      text-align: left;
      cursor: pointer;
    }
    button:hover {
      border-color: var(--line-strong);
    }
    button:focus-visible {
      outline-offset: 2px;
    }
    /* On the edge, so that the box keeps its size when it is known. */
    tbd-role-mark {
      position: absolute;
      z-index: 1;
      top: -9px;
      left: 8px;
      border-radius: 4px;
      background: var(--bg);
    }
    .heading {
      display: flex;
      gap: 5px;
      align-items: center;
      min-width: 0;
      line-height: 20px;
    }
    .graph {
      flex: 0 1 auto;
      max-width: 130px;
      overflow: hidden;
      color: var(--dim);
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .name {
      flex: 0 1 auto;
      min-width: 24px;
    }
    .tag {
      flex: 0 2 auto;
      min-width: 24px;
      text-align: center;
      margin-left: auto;
      overflow: hidden;
      text-overflow: ellipsis;
      line-height: 16px;
    }
    .lost {
      margin-left: auto;
    }
    .value {
      display: flex;
      flex-wrap: wrap;
      gap: 0 8px;
      color: var(--dim);
      font: 11px/16px var(--mono);
    }
    .value span {
      white-space: nowrap;
    }
    .slot::after {
      content: ':';
    }
    .bad-count {
      color: var(--bad);
      font-weight: 700;
    }
    .extent {
      margin-left: auto;
    }
    .extent:empty {
      display: none;
    }
    tbd-health-bar {
      height: 4px;
      margin: 2px 0;
      border-radius: 2px;
    }
    .remark {
      color: var(--dim);
      font-size: 11px;
      line-height: 16px;
    }
    .argument {
      border-color: color-mix(in srgb, var(--input), var(--line-strong) 35%);
      background: var(--input);
    }
    .bad {
      border: 2px solid var(--bad);
    }
    .bad:hover {
      border-color: var(--bad);
    }
    .focused {
      outline: 2px solid var(--accent);
      outline-offset: 2px;
      background: var(--accent-soft);
    }
    .focused .name {
      font-weight: 700;
    }
    .focused:focus-visible {
      outline: 3px solid var(--fn);
      box-shadow: 0 0 0 2px var(--accent);
    }
    .unknown {
      border-style: dashed;
      color: var(--dim);
      cursor: default;
    }
    .more {
      min-width: 0;
      min-height: 26px;
      border-style: dashed;
      color: var(--fn);
    }
    .inside {
      border-color: var(--fn);
      background: var(--fn-soft);
      color: var(--fn);
    }
    .inside .remark {
      color: inherit;
    }
  `,
})
export class OpBox {
  readonly #roles = inject(AlertRoles);

  readonly box = input.required<Box>();
  /** The user wants what the box stands for to be selected. */
  readonly chosen = output<SelectedEvent>();

  protected readonly bad = computed(() => isBadBox(this.box()));
  protected readonly role = computed(() => (this.bad() ? this.#roles.of(this.box().event) : null));
  protected readonly saysType = saysType;
  protected readonly words = computed(() => boxWords(this.box()));
  protected readonly tooltip = computed(() => {
    const { graphName, name, type, remark, values } = this.box();
    const heading = [graphName && `${graphName} ›`, name, type && `(${type})`];
    const lines = [heading.filter(Boolean).join(' '), remark, ...values.map(valueWords)];
    return lines.filter(Boolean).join('\n');
  });
  protected readonly others = computed(() => {
    const { otherOutputs, values } = this.box();
    return values.length
      ? `+${countText(otherOutputs)} more output${otherOutputs === 1 ? '' : 's'}`
      : `${countText(otherOutputs)} outputs`;
  });

  protected selectEvent(): void {
    const { event } = this.box();
    if (event) this.chosen.emit(event);
  }

  /** One step back towards the cause. */
  protected goBack(link: CauseLink): void {
    const event = eventOfAlert(link);
    if (event) this.chosen.emit(event);
  }

  protected badTexts(health: TensorHealth): string[] {
    if (!isBad(health)) return [];
    const counted = countedValues(health).filter(({ bad }) => bad);
    return counted.length ? counted.map(valueCountText) : ['NaN/∞'];
  }

  protected finiteTexts(health: TensorHealth): string[] {
    const counted = countedValues(health).filter(({ bad }) => !bad);
    if (counted.length) return counted.map(valueCountText);
    if (health.has_inf_nan === false) return ['no NaN, no ∞'];
    return health.has_inf_nan === null && health.dtype ? [health.dtype] : [];
  }

  /** A bar of one shade tells nothing, unless the shade is bad. */
  protected hasBar(health: TensorHealth): boolean {
    return barParts(health).some(({ kind }) => kind !== 'finite');
  }

  /** "2D 240", "[24, 10]", "240 values" */
  protected extent(health: TensorHealth): string {
    const shape = shapeText(health);
    if (shape) return shape;
    if (health.rank === null) return extentText(health);
    return (
      rankText(health) + (health.rank && health.size !== null ? ` ${countText(health.size)}` : '')
    );
  }
}

/** "input 0: probs, Placeholder, argument 0 · value from caller" */
export function boxWords(box: Box): string {
  const { place, graphName, name, type, remark, values } = box;
  const shownType = type && saysType(name, type) ? '' : type;
  const parts = [graphName && `${graphName} › ${name}`, !graphName && name, shownType, remark];
  return `${place}: ${[...parts, ...values.map(valueWords)].filter(Boolean).join(', ')}`;
}

function valueWords({ slot, health }: Box['values'][number]): string {
  return (slot === null ? '' : `output ${slot}: `) + healthWords(health);
}
