// Where the source is opened while nothing is selected: at the line of the first root cause. The first one that is found stays,
// whichever others are found or muted later, and none takes the place of what the user is reading. Made in an injection context.
import { computed, inject, linkedSignal } from '@angular/core';
import { FoundCauses } from '../state/found-causes';
import { Selection } from '../state/selection';
import type { SourcePosition } from '../state/view';

export class OpeningLine {
  readonly #causes = inject(FoundCauses);
  readonly #selection = inject(Selection);

  readonly #isRead = linkedSignal({ source: this.#selection.run, computation: () => false });
  readonly #first = linkedSignal<
    { run: string | null; found: SourcePosition | null },
    { run: string | null; line: SourcePosition | null }
  >({
    source: () => ({
      run: this.#selection.run(),
      found: this.#isRead() ? null : this.#causes.firstLine(),
    }),
    computation: ({ run, found }, previous) => ({
      run,
      line: (previous?.value.run === run ? previous.value.line : null) ?? found,
    }),
  });

  readonly nothingIsSelected = computed(
    () => this.#selection.event() === null && this.#selection.focus() === null,
  );
  /** Null where something is selected, and while no cause is known. */
  readonly ofCause = computed(() => (this.nothingIsSelected() ? this.#first().line : null));

  /** The user reads what is shown. */
  stay(): void {
    this.#isRead.set(true);
  }
}
