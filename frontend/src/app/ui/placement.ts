// Where a floating panel goes: beside what it belongs to, within the page, whatever pane that is in. The panel has the
// attribute popover="manual": it is drawn above everything, since panes cut off what overflows them.

/** The least distance between a panel and the edge of the page. */
const EDGE_PX = 8;
const GAP_PX = 4;
/** Below this the other side is taken, if it has more room. */
const LEAST_WIDTH_PX = 320;
const LEAST_HEIGHT_PX = 360;
const WIDEST_PX = 640;
export const HIGHEST_PX = 480;

export interface Placement {
  readonly left: number | null;
  readonly right: number | null;
  readonly top: number | null;
  readonly bottom: number | null;
  readonly maxWidth: number;
  readonly maxHeight: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Below the anchor and to its right, or on the side where there is more room. */
export function placementBeside(
  anchor: Box,
  page: { width: number; height: number },
  highest = HIGHEST_PX,
): Placement {
  const toRight = page.width - anchor.left - EDGE_PX;
  const toLeft = anchor.right - EDGE_PX;
  const below = page.height - anchor.bottom - GAP_PX - EDGE_PX;
  const above = anchor.top - GAP_PX - EDGE_PX;
  const opensLeft = toRight < LEAST_WIDTH_PX && toLeft > toRight;
  const opensUp = below < LEAST_HEIGHT_PX && above > below;
  return {
    left: opensLeft ? null : Math.max(anchor.left, EDGE_PX),
    right: opensLeft ? page.width - anchor.right : null,
    top: opensUp ? null : anchor.bottom + GAP_PX,
    bottom: opensUp ? page.height - anchor.top + GAP_PX : null,
    maxWidth: Math.min(WIDEST_PX, opensLeft ? toLeft : toRight),
    maxHeight: Math.min(highest, opensUp ? above : below),
  };
}

/** Shows the panel beside the anchor. */
export function floatBeside(panel: HTMLElement, anchor: Box, highest = HIGHEST_PX): void {
  const placement = placementBeside(anchor, { width: innerWidth, height: innerHeight }, highest);
  for (const side of ['left', 'right', 'top', 'bottom'] as const) {
    panel.style[side] = placement[side] === null ? 'auto' : `${placement[side]}px`;
  }
  panel.style.maxWidth = `${placement.maxWidth}px`;
  panel.style.maxHeight = `${placement.maxHeight}px`;
  if (!isShown(panel)) panel.showPopover?.();
}

function isShown(panel: HTMLElement): boolean {
  try {
    return panel.matches(':popover-open');
  } catch {
    // A browser without popovers shows the panel where it stands.
    return true;
  }
}
