// Whether the user can see the frame, for the frame's life. TensorBoard does not destroy the frame of a tab that is left but
// takes its height (2.21), or its display; and a frame that is not displayed draws nothing, so observers inside it fall
// silent: the parent's observers watch the frame element instead.
import { type Signal, signal } from '@angular/core';

export class FrameVisibility {
  readonly visible: Signal<boolean>;
  readonly #disposals: (() => void)[] = [];

  constructor(frame: Window, parent: Window | null) {
    const visible = signal(true);
    this.visible = visible.asReadonly();
    const element = parent ? frameElement(frame) : null;
    const watched = element ?? frame.document.documentElement;
    const observers = (element ? parent : frame) as (Window & typeof globalThis) | null;
    let inView = true;
    let hasSize = true;
    const tell = () =>
      visible.set(inView && hasSize && frame.document.visibilityState !== 'hidden');

    if (observers?.IntersectionObserver) {
      const observer = new observers.IntersectionObserver((entries) => {
        inView = entries.at(-1)?.isIntersecting ?? inView;
        tell();
      });
      observer.observe(watched);
      this.#disposals.push(() => observer.disconnect());
    }
    // An element without height still counts as intersecting.
    if (observers?.ResizeObserver) {
      const observer = new observers.ResizeObserver((entries) => {
        const box = entries.at(-1)?.contentRect;
        hasSize = !box || (box.width > 0 && box.height > 0);
        tell();
      });
      observer.observe(watched);
      this.#disposals.push(() => observer.disconnect());
    }
    frame.document.addEventListener('visibilitychange', tell);
    this.#disposals.push(() => frame.document.removeEventListener('visibilitychange', tell));
    tell();
  }

  dispose(): void {
    for (const dispose of this.#disposals) dispose();
  }
}

function frameElement(frame: Window): Element | null {
  try {
    return frame.frameElement;
  } catch {
    return null;
  }
}
