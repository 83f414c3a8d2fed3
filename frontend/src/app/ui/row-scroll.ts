// Where a list of rows of one height stands, and which rows are in view. Chrome caps an element's height near 33.5 M px, so
// beyond SCROLL_LIMIT_PX the scroll range is scaled: `position` is in px of the whole list, `scrollTop` in px of the element.
// Owned by the list that scrolls; knows no DOM.
import { computed, signal } from '@angular/core';

const SCROLL_LIMIT_PX = 8_000_000;
/** So far from either end of a scaled list a px of the element is one of the list: its ends scroll like any other's. */
const END_PX = 500_000;
/** Rows made beyond each edge of the view, so that a scroll finds them there. */
const OVERSCAN = 6;

/** Where a row that is not in view is brought to: as near as it is, or a third down what nothing covers, below what precedes it. */
export type RowPlace = 'nearest' | 'third';

export class RowScroll {
  readonly total = signal(0);
  readonly rowHeight = signal(30);
  readonly viewHeight = signal(0);
  /** Px at the top of the view that something covers. */
  readonly covered = signal(0);
  readonly #position = signal(0);
  readonly #scrollTop = signal(0);

  readonly listHeight = computed(() => this.total() * this.rowHeight());
  /** Height of the element that scrolls. */
  readonly scrollHeight = computed(() => Math.min(this.listHeight(), SCROLL_LIMIT_PX));
  readonly #lastPosition = computed(() => Math.max(0, this.listHeight() - this.viewHeight()));
  readonly #lastScrollTop = computed(() => Math.max(0, this.scrollHeight() - this.viewHeight()));
  /** Whether a px of the element stands for more than one of the list. */
  readonly scaled = computed(() => this.listHeight() > SCROLL_LIMIT_PX);
  /** Px of the list above the view. */
  readonly position = computed(() => Math.min(this.#position(), this.#lastPosition()));

  /** Rows at least partly in view; `end` is exclusive. */
  readonly inView = computed(
    () => {
      const begin = Math.floor(this.position() / this.rowHeight());
      const end = Math.ceil((this.position() + this.viewHeight()) / this.rowHeight());
      return { begin: Math.min(begin, this.total()), end: Math.min(end, this.total()) };
    },
    { equal: (a, b) => a.begin === b.begin && a.end === b.end },
  );
  /** Px of the first row in view that are above the view. */
  readonly cut = computed(() => this.position() - this.inView().begin * this.rowHeight());
  /** Rows to make. */
  readonly made = computed(() => {
    const { begin, end } = this.inView();
    return { begin: Math.max(0, begin - OVERSCAN), end: Math.min(this.total(), end + OVERSCAN) };
  });
  /** Where in the element the first made row stands. */
  readonly top = computed(() => {
    const first = this.made().begin * this.rowHeight();
    return this.scaled() ? this.#scrollTop() - this.position() + first : first;
  });

  /** The element has been scrolled. */
  scrolledTo(scrollTop: number): void {
    const moved = scrollTop - this.#scrollTop();
    this.#scrollTop.set(scrollTop);
    if (moved === 0) return;
    if (!this.scaled()) this.#position.set(scrollTop);
    else if (Math.abs(moved) <= this.viewHeight()) {
      // The wheel and the keys move by as many px as anywhere; the scrollbar's thumb moves through the whole list.
      this.#position.set(this.#within(this.position() + moved));
    } else {
      this.#position.set(this.#within(this.#positionAt(scrollTop)));
    }
  }

  /** Sets the position; the element's scrollTop is then to be set to the answer. */
  moveTo(position: number): number {
    this.#position.set(this.#within(position));
    return this.settle();
  }

  /** The scrollTop that stands for the position: what the element is to be set to once scrolling rests. */
  settle(): number {
    // An element keeps whole px only; rounding here makes its scroll event a move of none.
    const scrollTop = Math.round(this.#scrollTopAt(this.position()));
    this.#scrollTop.set(scrollTop);
    return scrollTop;
  }

  /** The position that shows a row: none if it is in view. */
  positionOf(index: number, place: RowPlace = 'third'): number {
    const top = index * this.rowHeight();
    const above = top - this.position() < this.covered();
    const below = top + this.rowHeight() > this.position() + this.viewHeight();
    if (!above && !below) return this.position();
    if (place === 'third') {
      const rowsBefore = Math.round((this.viewHeight() - this.covered()) / 3 / this.rowHeight());
      return top - this.covered() - rowsBefore * this.rowHeight();
    }
    return above ? top - this.covered() : top + this.rowHeight() - this.viewHeight();
  }

  #within(position: number): number {
    return Math.max(0, Math.min(position, this.#lastPosition()));
  }

  /** How many px of the list one px of the element stands for, between the ends. */
  readonly #scale = computed(
    () => (this.#lastPosition() - 2 * END_PX) / (this.#lastScrollTop() - 2 * END_PX),
  );

  #scrollTopAt(position: number): number {
    if (!this.scaled() || position <= END_PX) return position;
    const rest = this.#lastPosition() - position;
    if (rest <= END_PX) return this.#lastScrollTop() - rest;
    return END_PX + (position - END_PX) / this.#scale();
  }

  #positionAt(scrollTop: number): number {
    if (scrollTop <= END_PX) return scrollTop;
    const rest = this.#lastScrollTop() - scrollTop;
    if (rest <= END_PX) return this.#lastPosition() - rest;
    return END_PX + (scrollTop - END_PX) * this.#scale();
  }
}
