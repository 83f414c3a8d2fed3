// The executions of the window as a row of letters, as many as fit. Belongs to the timeline, which owns the window and the
// list.
import {
  afterRenderEffect,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { executionIndex } from '../api/indices';
import { FocusedEvent } from '../state/focused-event';
import { Gaps } from '../state/gaps';
import { Selection } from '../state/selection';
import { bindKeysWithin } from '../ui/keyboard';
import { observedWidth } from '../ui/observed-width';
import type { ExecutionList } from './execution-list';
import type { ExecutionWindow } from './execution-window';
import { boxLabel, boxLetter, boxTitle } from './execution-words';

const GAP = 2;
/** From the left edge of a box to that of the next, at least. */
const PITCH = 22 + GAP;
/** Px of a drag that is still a click. */
const CLICK_PX = 4;
/** Px that a wheel which counts lines moves by one. */
const WHEEL_LINE_PX = 32;
const CALL_MARK = 'call of the selected tensor';
const MISSES_FRAMES = 'part of its stack trace is not on disk';

interface Box {
  readonly row: number;
  /** The execution; null while that is not known. */
  readonly index: number | null;
  readonly letter: string;
  readonly title: string;
  readonly label: string;
  readonly isFunction: boolean;
  readonly isBad: boolean;
  /** A frame of its stack is not on disk. */
  readonly missesFrames: boolean;
  /** What is missing between the box before and this one; empty for nothing. */
  readonly gap: string;
}

@Component({
  selector: 'tbd-execution-boxes',
  template: `
    @for (box of boxes(); track $index) {
      <button
        type="button"
        role="option"
        class="box"
        [class.function]="box.isFunction"
        [class.bad]="box.isBad"
        [class.cut]="box.missesFrames"
        [class.gap]="box.gap"
        [class.on]="box.index !== null && box.index === selected()"
        [class.call]="box.index !== null && box.index === called()"
        [attr.aria-selected]="box.index !== null && box.index === selected()"
        [attr.aria-label]="box.label"
        [title]="box.title"
        [tabindex]="box.row === tabStop() ? 0 : -1"
        (click)="selectUnlessDragged(box)"
      >
        {{ box.letter }}
      </button>
    }
  `,
  host: {
    role: 'listbox',
    'aria-label': 'Executions in view',
    'aria-orientation': 'horizontal',
    '[class.dragged]': 'dragging()',
    '(wheel)': 'scrollByWheel($event)',
    '(pointerdown)': 'takeHold($event)',
    '(pointermove)': 'drag($event)',
    '(pointerup)': 'letGo()',
    '(pointercancel)': 'letGo()',
  },
  styles: `
    :host {
      display: flex;
      flex: none;
      gap: ${GAP}px;
      /* Room for the ring of the first and last box. */
      margin: 0 9px;
      padding: 3px;
      overflow: hidden;
      touch-action: none;
    }
    .box {
      flex: 0 1 30px;
      min-width: ${PITCH - GAP}px;
      height: 24px;
      padding: 0;
      border: 0;
      border-radius: 4px;
      background: var(--chip);
      color: var(--dim);
      font: 11px var(--mono);
      cursor: pointer;
    }
    .box:hover {
      filter: brightness(0.93);
    }
    .function {
      background: var(--fn-soft);
      color: var(--fn);
      text-decoration: underline;
      text-underline-offset: 2px;
    }
    .bad {
      background: var(--bad);
      color: var(--on-bad);
    }
    /* A corner is marked where the stack is not whole. */
    .cut {
      background-image: linear-gradient(
        225deg,
        var(--warn) 4.5px,
        var(--bg) 5px 6px,
        transparent 6.5px
      );
    }
    .gap {
      position: relative;
    }
    .gap::before {
      position: absolute;
      top: -3px;
      bottom: -3px;
      left: -3px;
      border-left: 2px dashed var(--warn);
      content: '';
    }
    .on,
    .call {
      outline: 2px solid var(--accent);
      outline-offset: 1px;
    }
    .on {
      font-weight: 700;
    }
    .call {
      outline-style: dotted;
    }
    .box:focus-visible {
      outline: 2px solid var(--fn);
      outline-offset: 1px;
    }
    .on:focus-visible {
      outline-color: var(--accent);
      box-shadow: inset 0 0 0 2px var(--bg);
    }
    :host(.dragged) .box {
      cursor: grabbing;
    }
  `,
})
export class ExecutionBoxes {
  readonly #selection = inject(Selection);
  readonly #focused = inject(FocusedEvent);
  readonly #gaps = inject(Gaps);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef);

  readonly window = input.required<ExecutionWindow>();
  readonly list = input.required<ExecutionList>();

  readonly #width = observedWidth(() => this.#element);
  protected readonly selected = computed(() => {
    const event = this.#selection.event();
    return event?.kind === 'execution' ? event.index : null;
  });
  /** The call of the selected trace. */
  protected readonly called = computed(() =>
    this.selected() === null ? this.#focused.executionIndex() : null,
  );
  protected readonly boxes = computed(() => {
    const { begin, end } = { begin: this.window().begin(), end: this.window().end() };
    return Array.from({ length: end - begin }, (_, offset) => this.#box(begin + offset));
  });
  /** The one box that Tab reaches. */
  protected readonly tabStop = computed(() => {
    const focused = this.list().focusedRow();
    const view = this.window();
    return focused !== null && view.contains(focused) ? focused : view.begin();
  });
  protected readonly dragging = signal(false);

  /** The row whose box takes the keyboard's focus once it is made. */
  readonly #arriving = signal<number | null>(null);
  /** The row that the keyboard has moved to, until it is known which execution that is. */
  readonly #goal = signal<number | null>(null);
  #hold: { readonly x: number; readonly begin: number; readonly pointerId: number } | null = null;
  #wheelRest = 0;

  constructor() {
    // Six px of padding; a gap less than there are boxes.
    effect(() => {
      const width = this.#width();
      if (width) this.window().capacity.set(Math.max(1, Math.floor((width - 6 + GAP) / PITCH)));
    });
    bindKeysWithin('Python Execution Timeline', [
      { key: 'ArrowLeft', effect: 'Previous execution', run: () => this.#step(-1) },
      { key: 'ArrowRight', effect: 'Next execution', run: () => this.#step(1) },
      { key: 'PageUp', effect: 'Earlier executions', run: () => this.window().page(-1) },
      { key: 'PageDown', effect: 'Later executions', run: () => this.window().page(1) },
      { key: 'Home', effect: 'First execution', run: () => this.#goTo(0) },
      {
        key: 'End',
        effect: 'Last execution',
        run: () => this.#goTo(this.window().total() - 1),
      },
    ]);
    effect(() => this.#selectGoal());
    afterRenderEffect(() => {
      const arriving = this.#arriving();
      const view = this.window();
      if (arriving === null || !view.contains(arriving)) return;
      const box = this.#element.nativeElement.children[arriving - view.begin()];
      if (box instanceof HTMLElement) box.focus({ preventScroll: true });
      this.#arriving.set(null);
    });
  }

  protected selectUnlessDragged({ row, index }: Box): void {
    if (this.dragging()) this.dragging.set(false);
    else if (index !== null) {
      this.list().pick(index, row);
      this.#selection.select({ kind: 'execution', index: executionIndex(index) });
    }
  }

  protected scrollByWheel(event: WheelEvent): void {
    if (event.ctrlKey) return;
    event.preventDefault();
    const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
    const px = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? delta : delta * WHEEL_LINE_PX;
    const boxes = this.#wheelRest + px / PITCH;
    const whole = Math.trunc(boxes);
    this.#wheelRest = boxes - whole;
    this.window().moveBy(whole);
  }

  protected takeHold(event: PointerEvent): void {
    this.dragging.set(false);
    if (event.button !== 0) return;
    this.#hold = { x: event.clientX, begin: this.window().begin(), pointerId: event.pointerId };
  }

  protected drag(event: PointerEvent): void {
    const hold = this.#hold;
    if (!hold || hold.pointerId !== event.pointerId) return;
    const moved = event.clientX - hold.x;
    if (!this.dragging()) {
      if (Math.abs(moved) <= CLICK_PX) return;
      this.dragging.set(true);
      this.#element.nativeElement.setPointerCapture(event.pointerId);
    }
    this.window().moveTo(hold.begin - moved / this.#pitch());
  }

  /** The click that ends a drag comes after this, and is none. */
  protected letGo(): void {
    this.#hold = null;
    setTimeout(() => this.dragging.set(false));
  }

  #pitch(): number {
    const box = this.#element.nativeElement.firstElementChild;
    return box ? box.getBoundingClientRect().width + GAP : PITCH;
  }

  #step(by: 1 | -1): void {
    const from = this.#goal() ?? this.list().focusedRow();
    this.#goTo(from === null ? this.window().begin() : from + by);
  }

  #goTo(row: number): void {
    const there = Math.max(0, Math.min(row, this.window().total() - 1));
    this.window().reveal(there);
    this.#arriving.set(there);
    this.#goal.set(there);
  }

  #selectGoal(): void {
    const row = this.#goal();
    const index = row === null ? null : this.list().indexAt(row);
    if (row === null || index === null) return;
    untracked(() => {
      this.#goal.set(null);
      if (index === this.selected()) return;
      this.list().pick(index, row);
      this.#selection.select({ kind: 'execution', index: executionIndex(index) }, { step: true });
    });
  }

  #box(row: number): Box {
    const execution = this.list().rows.row(row);
    if (!execution) {
      const index = this.list().indexAt(row);
      const label = index === null ? 'loading' : `execution ${index}, loading`;
      const unknown = { isFunction: false, isBad: false, missesFrames: false, gap: '' };
      return { row, index, letter: '·', title: label, label, ...unknown };
    }
    const gap = this.#gapBefore(row, execution.index);
    const marks = [
      execution.index === this.called() ? CALL_MARK : '',
      execution.misses_frames ? MISSES_FRAMES : '',
      gap,
    ].filter(Boolean);
    return {
      row,
      index: execution.index,
      letter: boxLetter(execution),
      title: boxTitle(execution, marks),
      label: boxLabel(execution, marks),
      isFunction: execution.function_name !== null,
      isBad: execution.num_alerts > 0,
      missesFrames: execution.misses_frames,
      gap,
    };
  }

  /** What is missing between an execution and the one listed before it. */
  #gapBefore(row: number, index: number): string {
    const previous = row === 0 ? -1 : (this.list().indexAt(row - 1) ?? index - 1);
    return this.#gaps.between('executions', previous, index);
  }
}
