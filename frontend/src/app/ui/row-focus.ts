// Arrow keys, Home and End move the focus through the rows of a list; the list is one stop of the Tab key. The list owns its
// rows: they are natively focusable elements with the attribute `data-row`.
//
//   <ol tbdRowFocus> <li><button data-row>…</button></li> … </ol>
import { afterEveryRender, Directive, ElementRef, inject } from '@angular/core';

@Directive({
  selector: '[tbdRowFocus]',
  exportAs: 'tbdRowFocus',
  host: { '(keydown)': 'moveFocus($event)', '(focusin)': 'makeTabStop($event)' },
})
export class RowFocus {
  readonly #list = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  #tabStop: HTMLElement | undefined;

  constructor() {
    afterEveryRender({ write: () => this.#setTabStop() });
  }

  /** Moves the focus from elsewhere into the list. */
  focusFirst(): void {
    this.#rows()[0]?.focus();
  }

  protected moveFocus(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.#rows();
    const at = rows.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    rows[Math.max(0, Math.min(to, rows.length - 1))]?.focus();
  }

  protected makeTabStop(event: FocusEvent): void {
    if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-row]')) return;
    this.#tabStop = event.target;
    this.#setTabStop();
  }

  #rows(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[data-row]')];
  }

  /** The row that was focused last, or else the current one, or the first. */
  #setTabStop(): void {
    const rows = this.#rows();
    const tabStop =
      rows.find((row) => row === this.#tabStop) ??
      rows.find((row) => row.ariaCurrent === 'true') ??
      rows[0];
    for (const row of rows) row.tabIndex = row === tabStop ? 0 : -1;
  }
}
