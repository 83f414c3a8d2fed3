// A bar between two panes that changes the size of one of them. The layout that holds the bar owns the size, in px, and the
// bar remembers it between visits. (angular-split was tried: its separators announce the wrong orientation, share one name,
// and know no least size in px.)
import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  input,
  model,
} from '@angular/core';
import { remember, remembered } from '../host/remembered';

const STEP_PX = 16;
const LARGE_STEP_PX = 96;

@Component({
  selector: 'tbd-splitter',
  template: '',
  host: {
    role: 'separator',
    tabindex: '0',
    '[class]': 'orientation()',
    '[attr.aria-label]': 'label()',
    '[attr.aria-orientation]': 'orientation()',
    '[attr.aria-valuenow]': 'size()',
    '[attr.aria-valuemin]': 'min()',
    '[attr.aria-valuemax]': 'max()',
    '[attr.aria-valuetext]': 'size() + " pixels"',
    title: 'Drag or use the arrow keys to resize; double-click to reset',
    '(pointerdown)': 'startDrag($event)',
    '(pointermove)': 'drag($event)',
    '(pointerup)': 'endDrag()',
    '(pointercancel)': 'endDrag()',
    '(dblclick)': 'resizeTo(initial())',
    '(keydown)': 'resizeByKey($event)',
  },
  styles: `
    :host {
      position: relative;
      z-index: 1;
      touch-action: none;
      user-select: none;
      background: var(--line);
    }
    /* The line is 1 px; what can be grabbed is wider. */
    :host::after {
      content: '';
      position: absolute;
    }
    :host(.vertical) {
      cursor: col-resize;
    }
    :host(.vertical)::after {
      inset: 0 -4px;
    }
    :host(.horizontal) {
      cursor: row-resize;
    }
    :host(.horizontal)::after {
      inset: -4px 0;
    }
    :host(:hover),
    :host(:focus-visible),
    :host(.dragged) {
      background: var(--accent);
      box-shadow: 0 0 0 1px var(--accent);
      outline: none;
    }
  `,
})
export class Splitter {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  /** The direction of the bar itself: a vertical bar stands between left and right. */
  readonly orientation = input.required<'vertical' | 'horizontal'>();
  /** What the bar resizes: "Resize Alerts". */
  readonly label = input.required<string>();
  /** The key under which the size is remembered. */
  readonly remembersAs = input.required<string>();
  /** Size in px where nothing is remembered. */
  readonly initial = input.required<number>();
  readonly min = input.required<number>();
  readonly max = input.required<number>();
  /** Whether the resized pane comes after the bar. */
  readonly resizesNext = input(false);
  readonly size = model.required<number>();

  readonly #direction = computed(() => (this.resizesNext() ? -1 : 1));
  #dragged: { readonly at: number; readonly size: number } | null = null;

  constructor() {
    afterNextRender(() => {
      const size = Number(remembered(`size.${this.remembersAs()}`));
      if (size) this.size.set(this.#within(size));
    });
  }

  protected startDrag(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#dragged = { at: this.#position(event), size: this.#shownSize() };
    this.#element.setPointerCapture(event.pointerId);
    this.#element.classList.add('dragged');
  }

  protected drag(event: PointerEvent): void {
    if (!this.#dragged) return;
    const moved = (this.#position(event) - this.#dragged.at) * this.#direction();
    this.resizeTo(this.#dragged.size + moved);
  }

  protected endDrag(): void {
    this.#dragged = null;
    this.#element.classList.remove('dragged');
  }

  protected resizeByKey(event: KeyboardEvent): void {
    const step = (event.shiftKey ? LARGE_STEP_PX : STEP_PX) * this.#direction();
    const [less, more] =
      this.orientation() === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key === less) this.resizeTo(this.size() - step);
    else if (event.key === more) this.resizeTo(this.size() + step);
    else if (event.key === 'Home') this.resizeTo(this.min());
    else if (event.key === 'End') this.resizeTo(this.max());
    else if (event.key === 'Enter') this.resizeTo(this.initial());
    else return;
    event.preventDefault();
  }

  protected resizeTo(size: number): void {
    this.size.set(this.#within(size));
    remember(`size.${this.remembersAs()}`, String(this.size()));
  }

  /** What is seen counts, where the layout could not give the pane its size. It lies between the bar and its box's edge. */
  #shownSize(): number {
    const bar = this.#element.getBoundingClientRect();
    const box = this.#element.parentElement?.getBoundingClientRect() ?? bar;
    if (this.orientation() === 'vertical') {
      return this.resizesNext() ? box.right - bar.right : bar.left - box.left;
    }
    return this.resizesNext() ? box.bottom - bar.bottom : bar.top - box.top;
  }

  #within(size: number): number {
    return Math.round(Math.max(this.min(), Math.min(this.max(), size)));
  }

  #position(event: PointerEvent): number {
    return this.orientation() === 'vertical' ? event.clientX : event.clientY;
  }
}
