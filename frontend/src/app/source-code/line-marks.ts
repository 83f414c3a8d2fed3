// What is drawn beside and behind lines: the focused line and the counts of events. State of the editor, changed by effects.
import {
  RangeSet,
  StateEffect,
  StateField,
  type Extension,
  type EditorState,
} from '@codemirror/state';
import { Decoration, EditorView, gutter, gutterLineClass, GutterMarker } from '@codemirror/view';
import type { Schema } from '../api/client';
import { lineCountText, lineCountWords } from './count-text';

type LineAnnotation = Schema<'LineAnnotation'>;

export const setFocusedLine = StateEffect.define<number | null>();
export const setAnnotations = StateEffect.define<readonly LineAnnotation[]>();

/** From 1; null where none is focused, or the text ends before it. */
export const focusedLine = StateField.define<number | null>({
  create: () => null,
  update: (line, transaction) =>
    transaction.effects.reduce(
      (kept, effect) => (effect.is(setFocusedLine) ? effect.value : kept),
      line,
    ),
  provide: (field) => [
    EditorView.decorations.compute([field], (state) => {
      const from = beginOfLine(state, state.field(field));
      return from === null ? Decoration.none : Decoration.set(FOCUSED.range(from));
    }),
    gutterLineClass.compute([field], (state) => {
      const from = beginOfLine(state, state.field(field));
      return from === null ? RangeSet.empty : RangeSet.of(new FocusedLineMarker().range(from));
    }),
  ],
});

/** A gutter that tells how many events a line made; a press on it asks for them. */
export function countGutter(askForLine: (lineno: number, beside: DOMRect) => void): Extension {
  return [
    annotations,
    gutter({
      class: 'tbd-counts',
      markers: (view) => view.state.field(annotations),
      initialSpacer: () => new CountMarker({ lineno: 1, num_ops: 99, num_bad: 99 }),
      domEventHandlers: { click: pressOnLine(askForLine) },
    }),
  ];
}

export function pressOnLine(askForLine: (lineno: number, beside: DOMRect) => void) {
  return (view: EditorView, line: { readonly from: number }, event: Event): boolean => {
    const pressed = event.target instanceof Element ? event.target : view.dom;
    const box = (pressed.closest('.cm-gutterElement') ?? pressed).getBoundingClientRect();
    askForLine(view.state.doc.lineAt(line.from).number, box);
    return true;
  };
}

const FOCUSED = Decoration.line({
  class: 'tbd-focused-line',
  attributes: { 'aria-current': 'true' },
});

class FocusedLineMarker extends GutterMarker {
  override readonly elementClass = 'tbd-focused-line';
  override eq(): boolean {
    return true;
  }
}

class CountMarker extends GutterMarker {
  constructor(private readonly annotation: LineAnnotation) {
    super();
  }

  override eq(other: CountMarker): boolean {
    const { lineno, num_ops, num_bad } = other.annotation;
    const { annotation } = this;
    return (
      annotation.lineno === lineno &&
      annotation.num_ops === num_ops &&
      annotation.num_bad === num_bad
    );
  }

  override toDOM(): HTMLElement {
    const count = document.createElement('span');
    const bad = this.annotation.num_bad > 0;
    count.className = bad ? 'tbd-count bad' : 'tbd-count';
    count.textContent = lineCountText(this.annotation) + (bad ? ' ●' : '');
    count.title = `${lineCountWords(this.annotation)} Click to list them.`;
    return count;
  }
}

const annotations = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (markers, transaction) => {
    for (const effect of transaction.effects) {
      if (effect.is(setAnnotations)) markers = markersOf(transaction.state, effect.value);
    }
    return markers;
  },
});

function markersOf(state: EditorState, lines: readonly LineAnnotation[]): RangeSet<GutterMarker> {
  return RangeSet.of(
    lines.flatMap((line) => {
      const from = beginOfLine(state, line.lineno);
      return from === null ? [] : new CountMarker(line).range(from);
    }),
    true,
  );
}

export function beginOfLine(state: EditorState, lineno: number | null): number | null {
  if (lineno === null || lineno < 1 || lineno > state.doc.lines) return null;
  return state.doc.line(lineno).from;
}
