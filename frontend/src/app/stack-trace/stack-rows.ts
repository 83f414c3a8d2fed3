// The rows of a stack: user frames in full, runs of library frames folded, runs of missing frames as one row; pure.
import type { Schema } from '../api/client';
import { sameFile, samePosition, type SourcePosition } from '../state/view';
import { countOf } from '../ui/number-text';
import { positionOf } from './frame-focus';

type Frame = Schema<'StackFrame'>;

export interface FrameRow {
  readonly kind: 'frame';
  readonly key: string;
  /** Position of the frame in the stack. */
  readonly place: number;
  readonly fileName: string;
  readonly filePath: string;
  readonly hostName: string | null;
  readonly functionName: string;
  readonly lineno: number;
  /** Within a fold that is open. */
  readonly folded: boolean;
  /** Null where the file is not recorded: there is no line to go to. */
  readonly position: SourcePosition | null;
  readonly focused: boolean;
  /** In the focused file. */
  readonly ofFocusedFile: boolean;
}

export interface FoldRow {
  readonly kind: 'fold';
  /** The id of its outermost frame. */
  readonly key: string;
  /** "12 frames of TensorFlow and Keras" */
  readonly text: string;
  readonly expanded: boolean;
  readonly holdsFocus: boolean;
}

export interface MissingRow {
  readonly kind: 'missing';
  readonly key: string;
  readonly count: number;
}

export type StackRow = FrameRow | FoldRow | MissingRow;

/** `expanded` holds what the user did to folds, by key; a fold that holds the focused frame is open unless closed by hand. */
export function stackRows(
  frames: readonly Frame[],
  focus: SourcePosition | null,
  expanded: ReadonlyMap<string, boolean>,
): StackRow[] {
  return runsOf(frames).flatMap(({ kind, begin, end }): StackRow[] => {
    const rowsOfFrames = (folded: boolean) =>
      frames.slice(begin, end).map((frame, i) => frameRow(frame, begin + i, focus, folded));
    const key = `${kind}:${frames[begin]?.stack_frame_id}:${begin}`;
    switch (kind) {
      case 'missing':
        return [{ kind, key, count: end - begin }];
      case 'shown':
        return rowsOfFrames(false);
      case 'fold': {
        const rows = rowsOfFrames(true);
        const holdsFocus = rows.some((row) => row.focused);
        const isExpanded = expanded.get(key) ?? holdsFocus;
        const text = foldText(frames.slice(begin, end).map((frame) => frame.library ?? ''));
        const fold: FoldRow = { kind, key, text, expanded: isExpanded, holdsFocus };
        return isExpanded ? [fold, ...rows] : [fold];
      }
    }
  });
}

/** ["TensorFlow", "Keras", "TensorFlow"] -> "3 frames of TensorFlow and Keras", the most frequent first */
export function foldText(libraries: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const library of libraries) counts.set(library, (counts.get(library) ?? 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const last = names.pop();
  const all = names.length > 0 ? `${names.join(', ')} and ${last}` : last;
  return `${countOf(libraries.length, 'frame')} of ${all}`;
}

/** "/home/me/train.py" or "C:\\me\\train.py" -> "train.py" */
export function fileNameOf(filePath: string): string {
  return filePath.split(/[/\\]/).findLast((part) => part !== '') ?? filePath;
}

type RunKind = 'missing' | 'shown' | 'fold';

function kindOf(frame: Frame): RunKind {
  if (!frame.source) return 'missing';
  // A frame whose file is unknown may be the user's own.
  return frame.library === null || positionOf(frame) === null ? 'shown' : 'fold';
}

function runsOf(frames: readonly Frame[]) {
  const runs: { kind: RunKind; begin: number; end: number }[] = [];
  frames.forEach((frame, place) => {
    const kind = kindOf(frame);
    const last = runs.at(-1);
    if (last?.kind === kind) last.end = place + 1;
    else runs.push({ kind, begin: place, end: place + 1 });
  });
  return runs;
}

function frameRow(
  frame: Frame,
  place: number,
  focus: SourcePosition | null,
  folded: boolean,
): FrameRow {
  const position = positionOf(frame);
  const inFile = position !== null && focus !== null && sameFile(position, focus);
  const focused =
    inFile && samePosition({ ...position, hostName: null }, { ...focus, hostName: null });
  return {
    kind: 'frame',
    key: `frame:${frame.stack_frame_id}:${place}`,
    place,
    fileName: position ? fileNameOf(position.filePath) : unknownFile(frame),
    filePath: position?.filePath ?? '',
    hostName: position?.hostName ?? null,
    functionName: frame.source?.function ?? '',
    lineno: frame.source?.lineno ?? 0,
    folded,
    position,
    focused,
    ofFocusedFile: inFile,
  };
}

/** "(file unknown: .source_files is damaged)" -> "file unknown: .source_files is damaged" */
function unknownFile(frame: Frame): string {
  return (frame.source?.file_path ?? 'file not recorded').replace(/^\((.*)\)$/, '$1');
}
