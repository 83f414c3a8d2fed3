// Where the overview of a run shows that executions are missing. Pure.
import type { DescribedGap } from '../state/gaps';
import { countText } from '../ui/number-text';

export interface GapOnStrip {
  /** In px of the strip. */
  readonly left: number;
  readonly text: string;
}

/** Gaps that are nearer to each other are one line. */
const LEAST_DISTANCE_PX = 4;

/** The lines to draw, from left to right; however many gaps there are, no more than the strip has room for. */
export function gapsOnStrip(
  gaps: readonly DescribedGap[],
  total: number,
  stripWidth: number,
): GapOnStrip[] {
  const lines: { left: number; first: DescribedGap; count: number }[] = [];
  for (const gap of gaps) {
    const left = (gap.index / Math.max(1, total)) * stripWidth;
    const last = lines.at(-1);
    if (last && left - last.left < LEAST_DISTANCE_PX) last.count++;
    else lines.push({ left, first: gap, count: 1 });
  }
  return lines.map(({ left, first, count }) => ({
    left,
    text:
      count === 1
        ? first.text
        : `Executions are missing at ${countText(count)} places from #${countText(first.index)} on.`,
  }));
}
