// The width of an element, followed for the life of the component that asks.
import { type ElementRef, effect, type Signal, signal } from '@angular/core';

/** Width of the content box in px; 0 until known. A frame that TensorBoard hides has none: the last one counts. */
export function observedWidth(element: () => ElementRef<HTMLElement> | undefined): Signal<number> {
  const width = signal(0);
  effect((onCleanup) => {
    const observed = element()?.nativeElement;
    if (!observed) return;
    const observer = new ResizeObserver(() => {
      if (observed.clientWidth > 0) width.set(observed.clientWidth);
    });
    observer.observe(observed);
    onCleanup(() => observer.disconnect());
  });
  return width.asReadonly();
}
