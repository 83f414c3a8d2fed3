// Whether the user can see the frame. TensorBoard hides a left tab's frame instead of destroying it, and a frame that is
// not displayed draws nothing, so observers inside it fall silent: the parent's observers watch the frame element instead.
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
    let shown = true;
    const tell = () => visible.set(shown && frame.document.visibilityState !== 'hidden');

    if (observers?.IntersectionObserver) {
      const observer = new observers.IntersectionObserver((entries) => {
        shown = entries.at(-1)?.isIntersecting ?? shown;
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
