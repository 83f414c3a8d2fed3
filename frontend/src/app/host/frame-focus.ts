// Keys answer at once: a frame that comes into view takes the keyboard, unless the user is busy in the page around it.

/** Gives the keyboard to the frame if nothing of the parent's page holds it. */
export function takeIdleKeyboard(frame: Window, parent: Window | null): void {
  const holder = parent?.document.activeElement;
  if (!parent || !holder || holder === parent.document.body || holder === frame.frameElement) {
    frame.focus();
  }
}
