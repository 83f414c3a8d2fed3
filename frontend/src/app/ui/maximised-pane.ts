// Which pane fills the page, if any. Lives as long as the page.
import { Service, signal } from '@angular/core';

@Service()
export class MaximisedPane {
  readonly #heading = signal<string | null>(null);
  /** The heading of the pane that fills the page; null while all panes are shown. */
  readonly heading = this.#heading.asReadonly();

  maximise(heading: string): void {
    this.#heading.set(heading);
  }

  /** False where no pane was maximised. */
  restore(): boolean {
    if (this.#heading() === null) return false;
    this.#heading.set(null);
    return true;
  }
}
