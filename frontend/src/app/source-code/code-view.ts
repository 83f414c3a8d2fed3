// One file's text with its focused line and the counts of its lines. Owns the editor; who uses it owns the text.
import {
  afterRenderEffect,
  Component,
  DestroyRef,
  ElementRef,
  inject,
  input,
  output,
  untracked,
} from '@angular/core';
import type { Schema } from '../api/client';
import { CodeEditor } from './code-editor';
import type { SourceText } from './source-texts';

/** A line and where it is on the screen. */
export interface AskedLine {
  readonly lineno: number;
  readonly beside: DOMRect;
}

@Component({
  selector: 'tbd-code-view',
  template: '',
  styles: `
    :host {
      display: block;
      flex: 1;
      min-height: 0;
    }
  `,
})
export class CodeView {
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  #editor: CodeEditor | undefined;

  readonly text = input.required<SourceText>();
  /** The accessible name of the text. */
  readonly label = input.required<string>();
  readonly annotations = input.required<readonly Schema<'LineAnnotation'>[]>();
  readonly focusedLine = input.required<number | null>();
  /** The line to show where none is focused. */
  readonly firstLine = input<number | null>(null);
  readonly dark = input(false);
  /** The user asks what a line made. */
  readonly asked = output<AskedLine>();
  /** Lines moved on the screen. */
  readonly scrolled = output();

  constructor() {
    // In this order: a new text has neither marks nor counts.
    afterRenderEffect(() => {
      const text = this.text();
      untracked(() => this.#opened().show(text.lines, this.label()));
    });
    afterRenderEffect(() => {
      this.text();
      this.#opened().annotate(this.annotations());
    });
    afterRenderEffect(() => {
      this.text();
      const lineno = this.focusedLine();
      this.#opened().markLine(lineno);
      if (lineno !== null) this.#opened().centreLine(lineno);
    });
    afterRenderEffect(() => {
      this.text();
      const lineno = this.firstLine();
      if (lineno !== null) this.#opened().centreLine(lineno);
    });
    afterRenderEffect(() => this.#opened().setDark(this.dark()));
    inject(DestroyRef).onDestroy(() => this.#editor?.destroy());
  }

  openSearch(): void {
    this.#opened().openSearch();
  }

  focus(): void {
    this.#opened().focus();
  }

  #opened(): CodeEditor {
    this.#editor ??= new CodeEditor(this.#host, {
      askForLine: (lineno, beside) => this.asked.emit({ lineno, beside }),
      scrolled: () => this.scrolled.emit(),
    });
    return this.#editor;
  }
}
