// The stack of the selected event, outermost frame first. Owns which folds are open; the selection owns what is focused.
// Lives as long as its run is shown.
import {
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  inject,
  linkedSignal,
  signal,
  viewChild,
} from '@angular/core';
import type { Schema } from '../api/client';
import { FocusedEvent } from '../state/focused-event';
import { FocusedStack } from '../state/focused-stack';
import { problemOf } from '../state/run-problems';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { empty, failed, LOADING, type PaneState, READY } from '../ui/pane-state';
import { RowFocus } from '../ui/row-focus';
import { FrameFocus } from './frame-focus';
import { type FoldRow, type FrameRow, stackRows } from './stack-rows';
import { missingText, noteOf, NO_EVENT, SOURCE_LINE } from './stack-text';

type Stack = Schema<'StackTrace'>;

@Component({
  selector: 'tbd-stack-trace',
  imports: [Pane, RowFocus],
  templateUrl: './stack-trace.html',
  styleUrl: './stack-trace.css',
})
export class StackTrace {
  readonly #event = inject(FocusedEvent);
  readonly #stack = inject(FocusedStack).stack;
  readonly #runs = inject(Runs);
  readonly #selection = inject(Selection);
  readonly #frameFocus = new FrameFocus(this.#selection, this.#stack);
  readonly #expanded = signal<ReadonlyMap<string, boolean>>(new Map());
  private readonly list = viewChild<ElementRef<HTMLElement>>('list');

  /** Whether the selected event's stack is on its way, or its record that tells which stack. */
  readonly #waiting = computed(() => {
    const event = this.#selection.event();
    const awaitsRecord = event?.kind === 'trace' && this.#event.op() === null;
    return awaitsRecord || this.#stack.pending();
  });
  /** The stack in view: the former event's until the selected one's is there. */
  readonly #shown = linkedSignal<
    { stack: Stack | null; waiting: boolean; run: string | null },
    { stack: Stack | null; run: string | null }
  >({
    source: () => ({
      stack: this.#stack.answer(),
      waiting: this.#waiting(),
      run: this.#selection.run(),
    }),
    computation: ({ stack, waiting, run }, previous) =>
      waiting && !stack && previous?.value.run === run ? previous.value : { stack, run },
  });
  protected readonly frames = computed(() => this.#shown().stack?.frames ?? []);
  protected readonly busy = computed(() => this.#waiting() && this.frames().length > 0);

  protected readonly rows = computed(() =>
    stackRows(this.frames(), this.#selection.focus(), this.#expanded()),
  );
  protected readonly sticks = this.#selection.stickToBottommost;
  protected readonly stillWriting = computed(() => {
    const status = this.#runs.selected()?.status;
    return status === 'live' || status === 'loading';
  });

  protected readonly note = computed(() => {
    const event = this.#selection.event();
    const execution = this.#event.execution.answer()?.execution ?? null;
    const trace = this.#event.trace.answer();
    const host = this.#waiting() ? null : (this.#shown().stack?.host_name ?? null);
    return noteOf(event, { execution, trace, host });
  });

  protected readonly state = computed<PaneState>(() => {
    const event = this.#selection.event();
    if (event === null) return empty(NO_EVENT);
    if (event.kind === 'source') return empty(SOURCE_LINE);
    const failure =
      this.#stack.failure() ?? (event.kind === 'trace' ? this.#event.trace.failure() : null);
    if (this.#waiting() && failure !== null) return failed(failure);
    const stack = this.#shown().stack;
    if (!stack) return LOADING;
    if (stack.frames.length === 0) {
      // An op whose creation is not on disk has no type.
      return event.kind === 'trace' && this.#event.trace.answer()?.op_type === ''
        ? empty(
            'The creation of this op is not on disk, and with it its stack.',
            problemOf(this.#runs.selected(), [
              'only_graph_executions',
              'missing_graphs',
              'graphs_without_ops',
              'missing_ops',
            ]),
          )
        : empty('No stack was recorded for this event.');
    }
    if (stack.frames.every((frame) => !frame.source)) {
      return empty(
        missingText(stack.frames.length, this.stillWriting()),
        problemOf(this.#runs.selected(), ['switched_dump_root', 'missing_stack_frames']),
      );
    }
    return READY;
  });

  constructor() {
    // A new focus is brought into view; new data leaves the list where the user scrolled it.
    afterRenderEffect(() => {
      this.#selection.focus();
      this.#shown();
      const focused = this.list()?.nativeElement.querySelector('[aria-current=true]');
      focused?.scrollIntoView({ block: 'nearest' });
    });
  }

  protected focusFrame(row: FrameRow): void {
    // A fold that was open only for the focused frame stays open when the focus leaves it.
    const open = this.rows().filter((other) => other.kind === 'fold' && other.expanded);
    this.#expanded.update(
      (all) => new Map([...all, ...open.map(({ key }) => [key, true] as const)]),
    );
    this.#frameFocus.focusFrame(this.frames(), row.place);
  }

  protected expandOrFold(row: FoldRow): void {
    this.#expanded.update((all) => new Map([...all, [row.key, !row.expanded]]));
  }

  protected retry(): void {
    this.#event.trace.retry();
    this.#stack.retry();
  }

  protected titleOf(row: FrameRow): string {
    if (!row.position) {
      return `The frame is recorded; which file it is in is not known: ${row.fileName}.`;
    }
    return `${row.filePath}, line ${row.lineno}, in ${row.functionName}${row.hostName ? `\non ${row.hostName}` : ''}`;
  }

  protected missingRowText(count: number): string {
    const frames = count === 1 ? 'frame' : `${countText(count)} frames`;
    return `${frames} not recorded${this.stillWriting() ? ' yet' : ''}`;
  }
}
