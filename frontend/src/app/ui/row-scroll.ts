// Where a list of rows of one height stands, and which rows are in view. Chrome caps an element's height near 33.5 M px, so
// beyond SCROLL_LIMIT_PX the scroll range is scaled: `position` is in px of the whole list, `scrollTop` in px of the element.
// Owned by the list that scrolls; knows no DOM.
import { computed, signal } from '@angular/core';

const SCROLL_LIMIT_PX = 8_000_000;
/** Rows made beyond each edge of the view, so that a scroll finds them there. */
const OVERSCAN = 6;

export class RowScroll {
  readonly total = signal(0);
  readonly rowHeight = signal(30);
  readonly viewHeight = signal(0);
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
    else if (scrollTop <= 0) this.#position.set(0);
    else if (scrollTop >= this.#lastScrollTop()) this.#position.set(this.#lastPosition());
    else if (Math.abs(moved) <= this.viewHeight()) {
      // The wheel and the keys move by as many px as anywhere; the scrollbar's thumb moves through the whole list.
      this.#position.set(Math.max(0, Math.min(this.position() + moved, this.#lastPosition())));
    } else {
      this.#position.set((scrollTop / this.#lastScrollTop()) * this.#lastPosition());
    }
  }

  /** Sets the position; the element's scrollTop is then to be set to the answer. */
  moveTo(position: number): number {
    this.#position.set(Math.max(0, Math.min(position, this.#lastPosition())));
    return this.settle();
  }

  /** The scrollTop that stands for the position: what the element is to be set to once scrolling rests. */
  settle(): number {
    const share = this.#lastPosition() && this.position() / this.#lastPosition();
    const scrollTop = this.scaled() ? share * this.#lastScrollTop() : this.position();
    // An element keeps whole px only; rounding here makes its scroll event a move of none.
    this.#scrollTop.set(Math.round(scrollTop));
    return Math.round(scrollTop);
  }

  /** The position that shows a row: none if it is in view, else a third down the view. */
  positionOf(index: number): number {
    const top = index * this.rowHeight();
    const visible =
      top >= this.position() && top + this.rowHeight() <= this.position() + this.viewHeight();
    return visible ? this.position() : top - Math.floor(this.viewHeight() / 3);
  }
}
