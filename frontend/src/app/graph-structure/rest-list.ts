// The neighbours on one side that are too many for boxes, in a list that scrolls within itself. Owns which row the keys are at.
import { Component, computed, input, linkedSignal, output, viewChild } from '@angular/core';
import type { SelectedEvent } from '../state/view';
import { countText } from '../ui/number-text';
import { OpName } from '../ui/op-name';
import { healthWords, isBad, shortBadText } from '../ui/tensor-health';
import { VirtualRows } from '../ui/virtual-rows';
import type { ListedOp, Rest } from './drawing';
import type { Size } from './layout';

const ROW_PX = 22;
const MOST_ROWS_IN_VIEW = 5;
const HEADING_PX = 26;
const FOOTER_PX = 26;

/** Its size follows from what it lists. */
export function restSize(rest: Rest): Size {
  const rows = Math.min(rest.ops.length, MOST_ROWS_IN_VIEW) * ROW_PX;
  return { width: 272, height: HEADING_PX + rows + (unlisted(rest) ? FOOTER_PX : 6) };
}

function unlisted(rest: Rest): number {
  return rest.count - rest.ops.length;
}

@Component({
  selector: 'tbd-rest-list',
  imports: [OpName, VirtualRows],
  template: `
    <p class="heading">
      +{{ count(rest().count) }} more {{ rest().count === 1 ? singular() : rest().side }}
    </p>
    <tbd-virtual-rows
      role="listbox"
      tabindex="0"
      [attr.data-key]="rest().key"
      [attr.aria-label]="'More ' + rest().side"
      [attr.aria-activedescendant]="'rest-' + rest().side + '-' + active()"
      [total]="rest().ops.length"
      [rowHeight]="rowHeight"
      (keydown)="moveOrSelect($event)"
    >
      <ng-template #row let-index>
        @let op = rest().ops[index];
        @if (op) {
          <div
            class="row"
            role="option"
            tabindex="-1"
            [id]="'rest-' + rest().side + '-' + index"
            [class.active]="index === active()"
            [attr.aria-selected]="index === active()"
            [attr.aria-label]="words(op)"
            [title]="words(op)"
            (click)="select(index)"
            (keydown.enter)="select(index)"
          >
            <tbd-op-name class="name" [name]="op.name" />
            @if (bad(op); as text) {
              <span class="tag bad">{{ text }}</span>
            }
            <span class="tag">{{ op.type ?? 'not recorded' }}</span>
            <span class="slots">{{ op.slots }}</span>
          </div>
        }
      </ng-template>
    </tbd-virtual-rows>
    @if (rest().canGrow) {
      <button type="button" class="link-button footer" (click)="grow.emit()">
        List more of the {{ count(others()) }} others
      </button>
    } @else if (others()) {
      <p class="footer dim">{{ count(others()) }} are not listed here</p>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      overflow: hidden;
      border: 1.5px solid var(--line);
      border-radius: 8px;
      background: var(--bg);
      font-size: 12px;
    }
    .heading {
      flex: none;
      padding: 3px 10px;
      line-height: 20px;
      font-weight: 600;
    }
    .row {
      display: flex;
      gap: 6px;
      align-items: center;
      height: 22px;
      padding: 0 10px;
      cursor: pointer;
    }
    .row:hover {
      background: var(--raised);
    }
    tbd-virtual-rows:focus-visible {
      outline-offset: -2px;
    }
    tbd-virtual-rows:focus .active {
      background: var(--chip);
    }
    .name {
      flex: 1;
    }
    .tag {
      flex: none;
      max-width: 96px;
      overflow: hidden;
      text-overflow: ellipsis;
      line-height: 16px;
    }
    .slots {
      flex: none;
      color: var(--dim);
      font: 11px var(--mono);
    }
    .footer {
      flex: none;
      padding: 3px 10px;
      line-height: 18px;
    }
  `,
})
export class RestList {
  readonly rest = input.required<Rest>();
  readonly chosen = output<SelectedEvent>();
  /** The user wants more of them listed. */
  readonly grow = output();

  protected readonly rowHeight = ROW_PX;
  protected readonly count = countText;
  protected readonly others = computed(() => unlisted(this.rest()));
  protected readonly singular = computed(() => this.rest().side.slice(0, -1));
  protected readonly active = linkedSignal({ source: () => this.rest().key, computation: () => 0 });
  private readonly rows = viewChild.required(VirtualRows);

  /** Arrows that would leave the list are the drawing's. */
  protected moveOrSelect(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = this.active() + step;
    if (event.key === 'Enter') this.select(this.active());
    else if (step === 0 || next < 0 || next >= this.rest().ops.length) return;
    else {
      this.active.set(next);
      this.rows().scrollToRow(next);
    }
    event.preventDefault();
  }

  protected select(index: number): void {
    const op = this.rest().ops[index];
    if (op) this.chosen.emit(op.event);
  }

  protected bad(op: ListedOp): string {
    return op.health && isBad(op.health) ? shortBadText(op.health) : '';
  }

  protected words(op: ListedOp): string {
    const health = op.health && healthWords(op.health);
    return [op.name, op.type, op.slots, health].filter(Boolean).join(', ');
  }
}
