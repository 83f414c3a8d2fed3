// Which window above the frame may be touched: the parent, when it is of the same origin, and never any above it.

/** The parent's window if it can be read; null at the top level and below a parent of another origin. */
export function reachableParent(frame: Window): Window | null {
  try {
    const parent = frame.parent;
    // Reading `document` is what throws for a parent of another origin.
    return parent !== frame && parent.document ? parent : null;
  } catch {
    return null;
  }
}
