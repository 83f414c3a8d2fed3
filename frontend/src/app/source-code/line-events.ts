// A panel that lists what one source line made: ops and executions, the bad ones first, each to be selected. Lives from a
// press on the line until Escape, a choice, or a press or the focus elsewhere; gives the focus back to who opened it.
import {
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  inject,
  input,
  output,
  viewChild,
} from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { type FileIndex, executionIndex, traceIndex } from '../api/indices';
import { readOfRun } from '../state/run-read';
import { Selection } from '../state/selection';
import type { SelectedEvent, SourcePosition } from '../state/view';
import { graphText } from '../ui/graph-name';
import { bindKeys } from '../ui/keyboard';
import { countOf, countText } from '../ui/number-text';
import { OpName } from '../ui/op-name';
import { floatBeside } from '../ui/placement';
import { RowFocus } from '../ui/row-focus';
import { summaryOf } from './count-text';

type LineEvent = Schema<'LineEvent'>;

@Component({
  selector: 'tbd-line-events',
  imports: [OpName, RowFocus],
  templateUrl: './line-events.html',
  styleUrl: './line-events.css',
  host: {
    popover: 'manual',
    role: 'dialog',
    tabindex: '-1',
    '[attr.aria-label]': '"What line " + position().lineno + " made"',
    '(keydown.arrowdown)': 'enterList($event)',
    '(focusout)': 'closeWhenLeft($event)',
    '(document:pointerdown)': 'closeWhenOutside($event)',
  },
})
export class LineEvents {
  readonly #client = inject(ApiClient);
  readonly #selection = inject(Selection);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  readonly fileIndex = input.required<FileIndex>();
  readonly position = input.required<SourcePosition>();
  /** How many of the line's events went bad. */
  readonly numBad = input.required<number>();
  /** What was pressed, on the screen. */
  readonly beside = input.required<DOMRect>();
  /** The panel is to be gone; `byKey` where the focus has to go back. */
  readonly closed = output<{ readonly byKey: boolean }>();

  private readonly rows = viewChild(RowFocus);

  protected readonly line = readOfRun({
    question: () => ({ index: this.fileIndex(), lineno: this.position().lineno }),
    ask: (run, line, signal) => this.#client.get('/source_files/line', signal, { run, ...line }),
    grows: true,
  });
  protected readonly summary = computed(() => {
    const line = this.line.answer();
    return line && summaryOf(line, this.numBad());
  });
  protected readonly isSelected = computed(() => {
    const event = this.#selection.event();
    return (
      event?.kind === 'source' &&
      event.fileIndex === this.fileIndex() &&
      event.lineno === this.position().lineno
    );
  });

  constructor() {
    bindKeys([
      { key: 'Escape', effect: 'Close a list', run: () => this.closed.emit({ byKey: true }) },
    ]);
    afterRenderEffect(() => {
      // The list's length decides where the panel fits.
      this.line.answer();
      floatBeside(this.#element, this.beside());
    });
    afterRenderEffect(() => {
      this.position();
      this.#element.focus({ preventScroll: true });
    });
  }

  /** The panel itself has the focus as it opens. */
  protected enterList(event: Event): void {
    if (event.target !== this.#element) return;
    event.preventDefault();
    this.rows()?.focusFirst();
  }

  protected selectLine(): void {
    const lineno = this.position().lineno;
    this.#select({ kind: 'source', fileIndex: this.fileIndex(), lineno });
  }

  protected selectEvent(event: LineEvent): void {
    const selected = selectionOf(event);
    if (selected) this.#select(selected);
  }

  #select(event: SelectedEvent): void {
    this.#selection.select(event, { focus: this.position() });
    this.closed.emit({ byKey: true });
  }

  protected nameOf(event: LineEvent): string {
    return event.op_name ?? graphText(event.op_type);
  }

  protected placeOf(event: LineEvent): string {
    return event.execution_index === null
      ? `in ${graphText(event.graph_name)}`
      : `execution ${countText(event.execution_index)}`;
  }

  protected badWords(event: LineEvent): string {
    return event.execution_index === null
      ? `NaN or ∞ in ${countOf(event.num_alerts, 'recorded tensor')}`
      : `NaN or ∞ in ${countOf(event.num_alerts, 'output')}`;
  }

  protected readonly countText = countText;

  protected closeWhenLeft(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && !this.#element.contains(next)) this.closed.emit({ byKey: false });
  }

  protected closeWhenOutside(event: Event): void {
    if (event.target instanceof Node && this.#element.contains(event.target)) return;
    this.closed.emit({ byKey: false });
  }
}

/** What to select for an event of a line: of an op its first bad trace, or its first one, where it has any. */
export function selectionOf(event: LineEvent): SelectedEvent | null {
  if (event.execution_index !== null) {
    return { kind: 'execution', index: executionIndex(event.execution_index) };
  }
  if (event.first_graph_execution_index !== null) {
    return { kind: 'trace', index: traceIndex(event.first_graph_execution_index) };
  }
  if (event.graph_id === null || event.op_name === null) return null;
  return { kind: 'op', graphId: event.graph_id, opName: event.op_name };
}
