// A read-only CodeMirror view of one file at a time. Made by CodeView, which destroys it; owns its document, its search and
// where it is scrolled.
import { standardKeymap } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching } from '@codemirror/language';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Text } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Schema } from '../api/client';
import { codeLook } from './code-look';
import {
  beginOfLine,
  countGutter,
  focusedLine,
  pressOnLine,
  setAnnotations,
  setFocusedLine,
} from './line-marks';
import { countOfMatches } from './search-count';

export interface CodeEditorHandlers {
  /** The user asks what a line made; the box is what was pressed, or the line. */
  readonly askForLine: (lineno: number, beside: DOMRect) => void;
  /** Lines moved on the screen. */
  readonly scrolled: () => void;
}

export class CodeEditor {
  readonly #view: EditorView;
  readonly #theme = new Compartment();
  readonly #extensions: Extension;
  #dark = false;

  constructor(parent: HTMLElement, handlers: CodeEditorHandlers) {
    const { askForLine } = handlers;
    this.#extensions = [
      EditorState.readOnly.of(true),
      // Not editable, yet focusable: keys that write belong to the page, arrows to the code.
      EditorView.editable.of(false),
      countGutter(askForLine),
      lineNumbers({ domEventHandlers: { click: pressOnLine(askForLine) } }),
      focusedLine,
      highlightActiveLine(),
      highlightSpecialChars(),
      bracketMatching(),
      python(),
      search({ top: true }),
      countOfMatches,
      codeLook,
      keymap.of([
        { key: 'Enter', run: (view) => this.#askForCursorLine(view, askForLine) },
        ...searchKeymap,
        ...standardKeymap,
      ]),
    ];
    this.#view = new EditorView({ parent });
    this.#view.scrollDOM.addEventListener('scroll', handlers.scrolled, { passive: true });
  }

  /** Shows another text from its top. */
  show(lines: readonly string[], label: string): void {
    const state = EditorState.create({
      doc: Text.of(lines.length > 0 ? [...lines] : ['']),
      extensions: [
        this.#extensions,
        this.#theme.of(EditorView.darkTheme.of(this.#dark)),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label }),
      ],
    });
    this.#view.setState(state);
    this.#view.scrollDOM.scrollTop = 0;
  }

  /** Marks a line, or none, and puts the cursor on it. */
  markLine(lineno: number | null): void {
    const from = beginOfLine(this.#view.state, lineno);
    this.#view.dispatch({
      effects: setFocusedLine.of(lineno),
      ...(from === null ? {} : { selection: { anchor: from } }),
    });
  }

  centreLine(lineno: number): void {
    const from = beginOfLine(this.#view.state, Math.min(lineno, this.#view.state.doc.lines));
    if (from === null) return;
    this.#view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center', x: 'start' }) });
  }

  annotate(annotations: readonly Schema<'LineAnnotation'>[]): void {
    this.#view.dispatch({ effects: setAnnotations.of(annotations) });
  }

  setDark(dark: boolean): void {
    this.#dark = dark;
    this.#view.dispatch({ effects: this.#theme.reconfigure(EditorView.darkTheme.of(dark)) });
  }

  openSearch(): void {
    openSearchPanel(this.#view);
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }

  #askForCursorLine(view: EditorView, askForLine: CodeEditorHandlers['askForLine']): boolean {
    const line = view.state.doc.lineAt(view.state.selection.main.head);
    const at = view.coordsAtPos(line.from);
    if (at) askForLine(line.number, new DOMRect(at.left, at.top, 40, at.bottom - at.top));
    return at !== null;
  }
}
