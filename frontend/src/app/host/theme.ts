// TensorBoard's light or dark theme, followed for the life of the frame.
import { type Signal, signal } from '@angular/core';

export class Theme {
  readonly dark: Signal<boolean>;
  readonly #stop: () => void;

  constructor(frame: Window, parent: Window | null) {
    const dark = signal(false);
    this.dark = dark.asReadonly();
    if (parent) {
      const read = () => dark.set(parent.document.body.classList.contains('dark-mode'));
      const observer = new MutationObserver(read);
      observer.observe(parent.document.body, { attributes: true, attributeFilter: ['class'] });
      this.#stop = () => observer.disconnect();
      read();
    } else {
      const preference = frame.matchMedia('(prefers-color-scheme: dark)');
      const read = () => dark.set(preference.matches);
      preference.addEventListener('change', read);
      this.#stop = () => preference.removeEventListener('change', read);
      read();
    }
  }

  dispose(): void {
    this.#stop();
  }
}
