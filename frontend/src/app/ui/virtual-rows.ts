// A list of any length of which only the rows in view are made. It scrolls within itself; rows are addressed by index and
// are all of one height. The pane that uses it owns the rows, and gives the list its role, name and tabindex.
//
//   <tbd-virtual-rows role="listbox" aria-label="…" tabindex="0" [total]="rows.total()" (shown)="rows.show($event.begin, $event.end)">
//     <ng-template #row let-index> <div role="option" [style.height.px]="30">{{ rows.row(index)?.name }}</div> </ng-template>
//   </tbd-virtual-rows>
import { NgTemplateOutlet } from '@angular/common';
import {
  afterNextRender,
  Component,
  computed,
  contentChild,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  input,
  output,
  type TemplateRef,
} from '@angular/core';
import { RowScroll } from './row-scroll';

const REST_MS = 150;

export interface RowContext {
  /** Index of the row. */
  readonly $implicit: number;
}

@Component({
  selector: 'tbd-virtual-rows',
  imports: [NgTemplateOutlet],
  template: `
    <div class="range" role="presentation" [style.height.px]="scroll.scrollHeight()"></div>
    <div class="rows" role="presentation" [style.top.px]="scroll.top()">
      @for (index of indices(); track index) {
        <ng-container [ngTemplateOutlet]="row()" [ngTemplateOutletContext]="{ $implicit: index }" />
      }
    </div>
  `,
  host: { '(scroll)': 'followScroll()' },
  styles: `
    :host {
      position: relative;
      display: block;
      flex: 1;
      min-height: 0;
      overflow: auto;
      overflow-anchor: none;
      contain: strict;
    }
    .rows {
      position: absolute;
      right: 0;
      left: 0;
    }
  `,
})
export class VirtualRows {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  #rest: ReturnType<typeof setTimeout> | undefined;

  readonly total = input.required<number>();
  /** Height of each row in px. */
  readonly rowHeight = input(30);
  /** The rows in view, as they change. */
  readonly shown = output<{ readonly begin: number; readonly end: number }>();

  protected readonly row = contentChild.required<TemplateRef<RowContext>>('row');
  protected readonly scroll = new RowScroll();
  protected readonly indices = computed(() => {
    const { begin, end } = this.scroll.made();
    return Array.from({ length: end - begin }, (_, offset) => begin + offset);
  });

  constructor() {
    effect(() => this.scroll.total.set(this.total()));
    effect(() => this.scroll.rowHeight.set(this.rowHeight()));
    effect(() => this.shown.emit(this.scroll.inView()));
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const measure = () => {
        // A frame that TensorBoard hides has no height: what was in view stays so.
        if (this.#element.clientHeight > 0) this.scroll.viewHeight.set(this.#element.clientHeight);
      };
      const observer = new ResizeObserver(measure);
      observer.observe(this.#element);
      measure();
      destroyed.onDestroy(() => observer.disconnect());
    });
    destroyed.onDestroy(() => clearTimeout(this.#rest));
  }

  /** Brings a row into view, if it is not. */
  scrollToRow(index: number): void {
    // The total may have changed in the same turn, before the element knows.
    this.scroll.total.set(this.total());
    const scrollTop = this.scroll.moveTo(this.scroll.positionOf(index));
    requestAnimationFrame(() => (this.#element.scrollTop = scrollTop));
  }

  protected followScroll(): void {
    this.scroll.scrolledTo(this.#element.scrollTop);
    clearTimeout(this.#rest);
    if (!this.scroll.scaled()) return;
    this.#rest = setTimeout(() => (this.#element.scrollTop = this.scroll.settle()), REST_MS);
  }
}
