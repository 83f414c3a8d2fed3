// Sizes of the panes in px where the user has chosen none.
import { linkedSignal, type WritableSignal } from '@angular/core';

export interface PaneSizes {
  readonly alerts: number;
  readonly timeline: number;
  readonly graphExecutions: number;
  readonly bottom: number;
  readonly stackTrace: number;
}

/** Shares of the window, so that the two right panes align, and Graph Structure is not what a low window costs. */
export function initialSizes(width: number, height: number): PaneSizes {
  const right = clamp(420, width * 0.35, 640);
  return {
    alerts: clamp(230, width * 0.2, 340),
    timeline: clamp(150, height * 0.26, 216),
    graphExecutions: right,
    bottom: clamp(180, height * 0.28, 400),
    stackTrace: right,
  };
}

/** A size that follows its initial value until something else is chosen. */
export function chosenSize(initial: () => number): WritableSignal<number> {
  return linkedSignal<number, number>({
    source: initial,
    computation: (size, previous) =>
      previous && previous.value !== previous.source ? previous.value : size,
  });
}

function clamp(least: number, size: number, most: number): number {
  return Math.round(Math.max(least, Math.min(most, size)));
}
