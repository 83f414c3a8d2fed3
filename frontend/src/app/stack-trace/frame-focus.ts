// Which frame of a newly selected event is focused, and the habit of sticking to one file. The selection holds the focus;
// this finds it, once for each selected event, and remembers which file is stuck to. Lives as long as the pane.
import { effect, untracked } from '@angular/core';
import type { Schema } from '../api/client';
import type { RunRead } from '../state/run-read';
import type { SelectionStore } from '../state/selection';
import { type FilePlace, sameFile, samePosition, type SourcePosition } from '../state/view';

type Stack = Schema<'StackTrace'>;
type Frame = Schema<'StackFrame'>;

/** The line of a frame; null while the frame, or its file, is not recorded. */
export function positionOf(frame: Frame | undefined): SourcePosition | null {
  const source = frame?.source;
  if (!source || source.file_index === null) return null;
  return { hostName: source.host_name, filePath: source.file_path, lineno: source.lineno };
}

/** The innermost frame of the file in the stack. */
export function lastFrameOf(file: FilePlace, frames: readonly Frame[]): SourcePosition | null {
  const positions = frames.map(positionOf);
  return positions.findLast((position) => position !== null && sameFile(position, file)) ?? null;
}

/**
 * The line to focus when an event is selected: the last frame of the file that is stuck to, where its stack has one, or
 * else the innermost user frame; null where the stack has neither.
 */
export function focusOfNewEvent(stack: Stack, stuckTo: FilePlace | null): SourcePosition | null {
  const stuck = stuckTo && lastFrameOf(stuckTo, stack.frames);
  if (stuck) return stuck;
  const user = stack.innermost_user_frame;
  return user === null ? null : positionOf(stack.frames[user]);
}

/** Whether the frame in this place is the innermost one of its file. */
export function isLastOfItsFile(frames: readonly Frame[], place: number): boolean {
  const position = positionOf(frames[place]);
  if (!position) return false;
  return !frames.slice(place + 1).some((frame) => {
    const inner = positionOf(frame);
    return inner !== null && sameFile(inner, position);
  });
}

type FocusSelection = Pick<
  SelectionStore,
  'awaitsFocus' | 'focus' | 'stickToBottommost' | 'focusSource' | 'resolveFocus'
>;

export class FrameFocus {
  /** Kept also while an event's stack has no frame of it. */
  #stuckTo: FilePlace | null = null;

  /** Must be called in an injection context. */
  constructor(
    private readonly selection: FocusSelection,
    private readonly stack: Pick<RunRead<Stack>, 'answer' | 'pending'>,
  ) {
    effect(() => {
      if (!selection.stickToBottommost()) this.#stuckTo = null;
    });
    effect(() => {
      // Until the new stack is there, the answer is the former event's.
      const stack = this.stack.pending() ? null : this.stack.answer();
      if (stack && selection.awaitsFocus()) untracked(() => this.#focusNewEvent(stack));
    });
  }

  /** The user goes to a frame: sticks to its file where it is the last frame of it, sticks no more where it is not. */
  focusFrame(frames: readonly Frame[], place: number): void {
    const position = positionOf(frames[place]);
    if (!position) return;
    const stickToBottommost = isLastOfItsFile(frames, place);
    const sticks = this.selection.stickToBottommost();
    this.#stuckTo = stickToBottommost ? position : null;
    if (sticks === stickToBottommost && samePosition(position, this.selection.focus())) return;
    this.selection.focusSource(position, { stickToBottommost });
  }

  #focusNewEvent(stack: Stack): void {
    if (this.selection.stickToBottommost()) this.#stuckTo ??= this.selection.focus();
    const position = focusOfNewEvent(stack, this.#stuckTo);
    if (position) this.selection.resolveFocus(position);
  }
}
