// Whether somebody wants to read about the run's problems: the toolbar shows them. Lives as long as the page.
import { Service, signal } from '@angular/core';

@Service()
export class ProblemPanel {
  /** What is to be shown; a new object each time that it is asked for, null until then. */
  readonly asked = signal<{ readonly kind: string } | null>(null);

  /** Opens the list of problems at those of a kind. */
  show(kind: string): void {
    this.asked.set({ kind });
  }
}
