// A list of any length of which only the rows in view are made. It scrolls within itself; rows are addressed by index and
// are all of one height. The pane that uses it owns the rows, and gives the list its role, name and tabindex.
//
//   <tbd-virtual-rows role="listbox" aria-label="…" tabindex="0" [total]="rows.total()" (shown)="rows.show($event.begin, $event.end)">
//     <ng-template #row let-index> <div role="option" [style.height.px]="30">{{ rows.row(index)?.name }}</div> </ng-template>
//     <ng-template #cover let-first> what stays at the top, of one row's height, while `first` is the first row in view </ng-template>
//   </tbd-virtual-rows>
import { NgTemplateOutlet } from '@angular/common';
import {
  afterNextRender,
  ChangeDetectorRef,
  Component,
  computed,
  contentChild,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  input,
  linkedSignal,
  output,
  type TemplateRef,
  untracked,
} from '@angular/core';
import { type RowPlace, RowScroll } from './row-scroll';

const REST_MS = 150;

export interface RowContext {
  /** Index of the row. */
  readonly $implicit: number;
}

export interface CoverContext extends RowContext {
  /** Px of the first row in view that are above the view. */
  readonly cut: number;
}

@Component({
  selector: 'tbd-virtual-rows',
  imports: [NgTemplateOutlet],
  template: `
    @if (cover(); as cover) {
      <div class="cover" role="presentation">
        <ng-container
          [ngTemplateOutlet]="cover"
          [ngTemplateOutletContext]="{ $implicit: scroll.inView().begin, cut: scroll.cut() }"
        />
      </div>
    }
    <div class="range" role="presentation" [style.height.px]="scroll.scrollHeight()"></div>
    <div class="rows" role="presentation" [style.top.px]="scroll.top()">
      <!-- A row that stays is never moved in the document: what has the focus keeps it. -->
      @for (made of made(); track made.key) {
        <ng-container
          [ngTemplateOutlet]="row()"
          [ngTemplateOutletContext]="{ $implicit: made.index }"
        />
      }
    </div>
  `,
  host: { '(scroll)': 'followScroll()', '[style.scroll-padding-top.px]': 'scroll.covered()' },
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
    .cover {
      position: sticky;
      z-index: 1;
      top: 0;
      height: 0;
    }
  `,
})
export class VirtualRows {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #changes = inject(ChangeDetectorRef);
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** A row to bring into view once the height of the view is known and there are so many rows. */
  #awaited: { readonly index: number; readonly place: RowPlace } | null = null;

  readonly total = input.required<number>();
  /** Height of each row in px. */
  readonly rowHeight = input(30);
  /** A row that stays in view when the view becomes lower. */
  readonly keptRow = input<number | null>(null);
  /** The rows in view, as they change. */
  readonly shown = output<{ readonly begin: number; readonly end: number }>();

  protected readonly row = contentChild.required<TemplateRef<RowContext>>('row');
  protected readonly cover = contentChild<TemplateRef<CoverContext>>('cover');
  protected readonly scroll = new RowScroll();
  /** From a row's index to its key. Where no row stays, the elements of those that go are filled anew. */
  readonly #shift = linkedSignal<{ begin: number; end: number }, number>({
    source: this.scroll.made,
    computation: ({ begin, end }, former) => {
      if (!former) return 0;
      const stays = begin < former.source.end && end > former.source.begin;
      return stays ? former.value : former.value + former.source.begin - begin;
    },
  });
  protected readonly made = computed(() => {
    const { begin, end } = this.scroll.made();
    const shift = this.#shift();
    return Array.from({ length: end - begin }, (_, offset) => ({
      index: begin + offset,
      key: begin + offset + shift,
    }));
  });

  constructor() {
    effect(() => {
      this.scroll.total.set(this.total());
      untracked(() => this.#goToAwaited());
    });
    effect(() => this.scroll.rowHeight.set(this.rowHeight()));
    effect(() => this.scroll.covered.set(this.cover() ? this.rowHeight() : 0));
    effect(() => this.shown.emit(this.scroll.inView()));
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const measure = () => {
        // A frame that TensorBoard hides has no height: what was in view stays so.
        if (this.#element.clientHeight === 0) return;
        const kept = this.#keptRowInView();
        this.scroll.viewHeight.set(this.#element.clientHeight);
        if (this.#awaited) this.#goToAwaited();
        else if (kept !== null) this.scrollToRow(kept, 'nearest');
      };
      const observer = new ResizeObserver(measure);
      observer.observe(this.#element);
      measure();
      destroyed.onDestroy(() => observer.disconnect());
    });
    destroyed.onDestroy(() => clearTimeout(this.#rest));
  }

  /** Whole rows that fit into the view, save one that is covered. */
  rowsPerView(): number {
    const height = this.scroll.viewHeight() - this.scroll.covered();
    return Math.max(1, Math.floor(height / this.rowHeight()));
  }

  /** Brings a row into view, if it is not. */
  scrollToRow(index: number, place: RowPlace = 'third'): void {
    // The row may be one of those that a run has just gained.
    this.#awaited =
      this.scroll.viewHeight() === 0 || index >= this.total() ? { index, place } : null;
    if (this.#awaited) return;
    // The total may have changed in the same turn, before the element knows.
    this.scroll.total.set(this.total());
    this.#moveTo(this.scroll.positionOf(index, place));
  }

  scrollToTop(): void {
    this.#awaited = null;
    this.#moveTo(0);
  }

  #goToAwaited(): void {
    if (this.#awaited) this.scrollToRow(this.#awaited.index, this.#awaited.place);
  }

  #keptRowInView(): number | null {
    const row = this.keptRow();
    return row !== null && this.scroll.positionOf(row) === this.scroll.position() ? row : null;
  }

  protected followScroll(): void {
    this.scroll.scrolledTo(this.#element.scrollTop);
    // In the very frame that shows the scroll: a later one would show it without rows.
    this.#changes.detectChanges();
    clearTimeout(this.#rest);
    if (!this.scroll.scaled()) return;
    this.#rest = setTimeout(() => (this.#element.scrollTop = this.scroll.settle()), REST_MS);
  }

  #moveTo(position: number): void {
    const scrollTop = this.scroll.moveTo(position);
    requestAnimationFrame(() => (this.#element.scrollTop = scrollTop));
  }
}
