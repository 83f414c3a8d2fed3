// The text of a filter as it is typed; who keeps the filter learns of it once typing rests. Belongs to the pane.
import { DestroyRef, inject, linkedSignal } from '@angular/core';

const REST_MS = 150;

export interface FilterTextOptions {
  /** The text that is filtered by. */
  readonly applied: () => string;
  readonly apply: (text: string) => void;
}

/** Must be made in an injection context. */
export class FilterText {
  readonly #options: FilterTextOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** The applied text, or what is being typed. */
  readonly text;

  constructor(options: FilterTextOptions) {
    this.#options = options;
    this.text = linkedSignal<string, string>({
      source: options.applied,
      computation: (text, typed) => (this.#timer !== null && typed ? typed.value : text),
    });
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
    if (text !== this.#options.applied()) this.#options.apply(text);
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
