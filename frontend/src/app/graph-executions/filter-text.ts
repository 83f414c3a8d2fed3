// The text of the filter as it is typed; the selection learns of it once typing rests. Belongs to the pane.
import { DestroyRef, inject, linkedSignal } from '@angular/core';
import { Selection } from '../state/selection';

const REST_MS = 150;

/** Must be made in an injection context. */
export class FilterText {
  readonly #selection = inject(Selection);
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** The selection's text, or what is being typed. */
  readonly text = linkedSignal<string, string>({
    source: () => this.#selection.traceFilter().text,
    computation: (text, typed) => (this.#timer !== null && typed ? typed.value : text),
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => this.#stop());
  }

  type(text: string): void {
    this.text.set(text);
    this.#stop();
    this.#timer = setTimeout(() => this.apply(), REST_MS);
  }

  /** Filters now. */
  apply(): void {
    const text = this.text();
    this.#stop();
    if (text !== this.#selection.traceFilter().text) this.#selection.filterTraces({ text });
  }

  clear(): void {
    this.text.set('');
    this.apply();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
