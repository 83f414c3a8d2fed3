// The overview of a whole run as bars, and how they are painted. Pure but for the painting.
import type { Schema } from '../api/client';

export type Overview = Schema<'ExecutionOverview'>;

export interface OverviewBar {
  /** In px of the strip. */
  readonly left: number;
  readonly width: number;
  /** Share of the strip's height: functions stand above ops. */
  readonly height: number;
  readonly kind: 'op' | 'function';
  /** Share of the bar that is painted as bad, from its foot. */
  readonly bad: number;
}

export type OverviewColours = Readonly<Record<OverviewBar['kind'] | 'bad', string>>;

/** What is well stands back. */
const OPACITY = 0.6;
/** One bad execution among thousands is still seen. */
const LEAST_BAD = 0.35;
const OP_HEIGHT = 0.42;
/** Bars at least this wide have a gap between them. */
const WIDTH_WITH_GAP = 3;
/** A single execution is no reason to fill the strip. */
const GREATEST_WIDTH = 24;

export function overviewBars(overview: Overview, stripWidth: number): OverviewBar[] {
  const { begins, num_functions, num_alerts, num_executions } = overview;
  const scale = stripWidth / Math.max(1, num_executions);
  return begins.map((begin, bucket) => {
    const end = begins[bucket + 1] ?? num_executions;
    const functions = num_functions[bucket] ?? 0;
    const alerts = num_alerts[bucket] ?? 0;
    const room = (end - begin) * scale;
    const width = room >= WIDTH_WITH_GAP ? Math.min(room - 1, GREATEST_WIDTH) : room;
    return {
      left: begin * scale + Math.max(0, room - 1 - width) / 2,
      width,
      height: OP_HEIGHT + (1 - OP_HEIGHT) * (functions / Math.max(1, end - begin)),
      kind: 2 * functions >= end - begin ? 'function' : 'op',
      bad: alerts && Math.min(1, Math.max(LEAST_BAD, alerts / Math.max(1, end - begin))),
    };
  });
}

/** How many buckets a strip can show; in steps, so that not every resize asks anew. */
export function bucketsFor(stripWidth: number): number {
  return Math.max(100, Math.min(2000, Math.ceil(stripWidth / 2 / 100) * 100));
}

export function paintBars(
  canvas: HTMLCanvasElement,
  bars: readonly OverviewBar[],
  size: { readonly width: number; readonly height: number; readonly pixelRatio: number },
  colours: OverviewColours,
): void {
  canvas.width = Math.round(size.width * size.pixelRatio);
  canvas.height = Math.round(size.height * size.pixelRatio);
  const context = canvas.getContext('2d');
  if (!context) return;
  // Edges on whole device pixels are sharp.
  const snapped = (px: number) => Math.round(px * size.pixelRatio);
  const fill = (bar: OverviewBar, share: number) => {
    const left = snapped(bar.left);
    const width = Math.max(1, snapped(bar.left + bar.width) - left);
    const height = snapped(bar.height * share * size.height);
    context.fillRect(left, canvas.height - height, width, height);
  };
  context.globalAlpha = OPACITY;
  for (const kind of ['op', 'function'] as const) {
    context.fillStyle = colours[kind];
    for (const bar of bars) if (bar.kind === kind && bar.bad < 1) fill(bar, 1);
  }
  // The bad ones last, so that no neighbour hides them.
  context.globalAlpha = 1;
  context.fillStyle = colours.bad;
  for (const bar of bars) if (bar.bad > 0) fill(bar, bar.bad);
}
