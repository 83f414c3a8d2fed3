// The graph execution traces in order of time, under headings of their calls. Lives as long as the page; owns where the list
// is scrolled to. Rows, their places and inputs are the classes' beside it; what is selected is the selection's.
import {
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  linkedSignal,
  untracked,
  viewChild,
} from '@angular/core';
import { alertIndex, executionIndex, traceIndex, type TraceIndex } from '../api/indices';
import { FocusedEvent } from '../state/focused-event';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { bindKeys, bindKeysWithin } from '../ui/keyboard';
import { countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { failed, LOADING, type PaneState, READY, unsupported } from '../ui/pane-state';
import { VirtualRows } from '../ui/virtual-rows';
import { CallHeading } from './call-heading';
import { FilterText } from './filter-text';
import { headerOfTrace } from './heading-text';
import { InputList } from './input-list';
import { InputRows } from './input-rows';
import { cannotTellBad, modeNote, whyNone } from './list-texts';
import { RowCursor } from './row-cursor';
import { TargetTrace } from './target-trace';
import { type ListRow, type Trace, TraceList } from './trace-list';
import { TraceRow } from './trace-row';

@Component({
  selector: 'tbd-graph-executions',
  imports: [CallHeading, InputList, Pane, TraceRow, VirtualRows],
  templateUrl: './graph-executions.html',
  styleUrl: './graph-executions.css',
})
export class GraphExecutions {
  readonly #selection = inject(Selection);
  readonly #runs = inject(Runs);
  readonly #focused = inject(FocusedEvent);

  protected readonly list = new TraceList();
  protected readonly target = new TargetTrace(this.list);
  protected readonly inputs = new InputRows(this.target);
  protected readonly filterText = new FilterText();
  readonly #cursor = new RowCursor<ListRow>(this.list, (row) => row.graph_execution === null);

  private readonly virtualRowsChild = viewChild(VirtualRows);
  private readonly gridChild = viewChild<ElementRef<HTMLElement>>('grid');
  private readonly filterFieldChild = viewChild<ElementRef<HTMLInputElement>>('filterField');
  #placedKey = '';
  #placedList: string | null = null;

  protected readonly count = computed(() => this.#runs.selected()?.num_graph_executions ?? 0);
  protected readonly filter = this.#selection.traceFilter;
  protected readonly filtered = computed(
    () => this.filter().infNanOnly || this.filter().text.trim() !== '',
  );
  /** "150", or "12 of 150" under a filter. */
  protected readonly note = computed(() => {
    const all = countText(this.count());
    const listed = this.list.key() === null ? null : this.list.numTraces();
    return this.filtered() && listed !== null ? `${countText(listed)} of ${all}` : all;
  });
  protected readonly state = computed<PaneState>(() => {
    const run = this.#runs.selected();
    const size = this.list.size;
    if (!run) return LOADING;
    if (run.num_graph_executions === 0) return whyNone(run);
    if (this.list.numTraces() === null) {
      const failure = size.failure();
      return failure === null ? LOADING : failed(failure);
    }
    if (this.filter().infNanOnly && cannotTellBad(run)) {
      return unsupported(
        `${run.debug_modes.join(', ')} mode does not record whether a tensor holds NaN or ∞. CURT_HEALTH, CONCISE_HEALTH and FULL_HEALTH do.`,
      );
    }
    return READY;
  });
  protected readonly modeNote = computed(() => {
    const run = this.#runs.selected();
    return run ? modeNote(run) : '';
  });
  protected readonly modes = computed(() => this.#runs.selected()?.debug_modes ?? []);
  protected readonly showsShapes = computed(() =>
    this.modes().some((mode) => mode === 'SHAPE' || mode === 'FULL_TENSOR'),
  );
  /** Which columns a run of one mode has. */
  protected readonly columns = computed(() => {
    const [mode, ...others] = this.modes();
    return others.length ? '' : (mode ?? '');
  });
  protected readonly extentHeading = computed(() => {
    if (this.showsShapes()) return 'shape';
    return this.columns() === 'CONCISE_HEALTH' ? 'size' : 'rank, size';
  });
  protected readonly indexDigits = computed(() => String(Math.max(0, this.count() - 1)).length);

  protected readonly selectedExecution = computed(() => {
    const event = this.#selection.event();
    return event?.kind === 'execution' ? event.index : null;
  });
  /** The row that the keys start from, if it is made. */
  protected readonly activeRow = computed(() => {
    const row = this.target.selected() === null ? null : this.target.row();
    const { begin, end } = this.list.viewport();
    return row !== null && row >= begin && row < end ? row : null;
  });
  protected readonly selectedName = computed(() => {
    const trace = this.#focused.trace.answer();
    return trace && trace.index === this.target.selected()
      ? `${trace.op_name}:${trace.output_slot}`
      : '';
  });
  protected readonly selectedGraph = computed(() => {
    const trace = this.#focused.trace.answer();
    return trace && trace.index === this.target.selected() ? trace.graph_id : null;
  });
  /** Why the number that was asked for is not shown; until the selection changes. */
  protected readonly goToProblem = linkedSignal<unknown, string>({
    source: () => this.#selection.event(),
    computation: () => '',
  });

  constructor() {
    bindKeys([{ key: '/', effect: 'Filter graph executions', run: () => this.focusFilter() }]);
    bindKeysWithin('Graph Executions', [
      { key: 'ArrowDown', effect: 'Next graph execution', run: (e) => this.#step(e, 1) },
      { key: 'ArrowUp', effect: 'Previous graph execution', run: (e) => this.#step(e, -1) },
      { key: 'PageDown', effect: 'A page down', run: (e) => this.#step(e, this.#rowsPerView()) },
      { key: 'PageUp', effect: 'A page up', run: (e) => this.#step(e, -this.#rowsPerView()) },
      { key: 'Home', effect: 'First graph execution', run: (e) => this.#goToEnd(e, 1) },
      { key: 'End', effect: 'Last graph execution', run: (e) => this.#goToEnd(e, -1) },
      { key: 'Enter', effect: 'Select the row', run: (e) => this.#step(e, 0) },
    ]);
    effect(() => this.#followSelection());
    effect(() => this.#followCursor());
  }

  protected trace(index: number): Trace | null {
    return this.list.row(index)?.graph_execution ?? null;
  }

  /** What heads the rows at the top of the view, and where it stands; null while that is not known. */
  protected coverAt(first: number, cut: number) {
    const entry = this.list.row(first);
    if (!entry || (entry.call && cut === 0)) return null;
    const heading = this.list.headingOf(first);
    const call =
      heading?.entry.call ?? (entry.graph_execution && headerOfTrace(entry.graph_execution));
    // The next heading pushes it out.
    const pushed = this.list.row(first + 1)?.call ? -cut : 0;
    return call && { call, pushed };
  }

  /** Where the list stands while rows that a scroll came to are not loaded; empty where they are. */
  protected placeOf(row: number): string {
    const traces = this.list.numTraces();
    if (traces === null || this.list.row(row)) return '';
    const near = Math.round((row / this.list.total()) * traces);
    return `≈ ${countText(near)} of ${countText(traces)}`;
  }

  protected ofSelectedCall(execution: number | null): boolean {
    return execution !== null && execution === this.selectedExecution();
  }

  protected selectRow(trace: Trace, row: number, step = false): void {
    const index = traceIndex(trace.index);
    const alert = trace.alert_index === null ? null : alertIndex(trace.alert_index);
    this.target.pick(index, row);
    this.#selection.select({ kind: 'trace', index }, { alert, step });
  }

  /** Brings a row into view without selecting it. */
  protected async showTrace(index: TraceIndex): Promise<void> {
    const row = this.list.rowInView(index) ?? (await this.target.find(index));
    if (row !== null) this.virtualRowsChild()?.scrollToRow(row);
  }

  protected selectExecution(index: number): void {
    this.#selection.select({ kind: 'execution', index: executionIndex(index) });
  }

  protected goTo(field: HTMLInputElement): void {
    const text = field.value.trim().replace(/^#/, '');
    const last = this.count() - 1;
    if (!/^\d+$/.test(text)) {
      this.goToProblem.set(`Type the number of a graph execution: 0 to ${countText(last)}.`);
    } else if (Number(text) > last) {
      this.goToProblem.set(`There is no #${text}: the last one is #${last}.`);
    } else {
      this.#selection.select({ kind: 'trace', index: traceIndex(Number(text)) });
      field.value = '';
      this.goToProblem.set('');
      this.gridChild()?.nativeElement.focus();
    }
  }

  protected forgetGoTo(field: HTMLInputElement, event: Event): void {
    this.goToProblem.set('');
    if (field.value) event.preventDefault();
    field.value = '';
  }

  protected toggleInfNanOnly(): void {
    this.#selection.filterTraces({ infNanOnly: !this.filter().infNanOnly });
  }

  protected clearFilter(): void {
    this.filterText.clear();
    this.#selection.filterTraces({ text: '', infNanOnly: false });
  }

  /** Escape empties the field first; the page's own Escape then leaves it. */
  protected clearOrLeaveFilter(event: Event): void {
    if (this.filterText.text() === '') return;
    event.preventDefault();
    this.filterText.clear();
  }

  protected applyFilterAndLeave(event: Event): void {
    event.preventDefault();
    this.filterText.apply();
    this.gridChild()?.nativeElement.focus();
  }

  protected focusFilter(): boolean {
    const field = this.filterFieldChild()?.nativeElement;
    field?.focus();
    field?.select();
    return field !== undefined;
  }

  /** Another selection or another list brings its row into view, once. */
  #followSelection(): void {
    const place = this.target.place();
    const rows = this.virtualRowsChild();
    const list = this.list.key();
    if (!place || !rows || place.key === this.#placedKey) return;
    const picked = this.target.wasPicked();
    this.#placedKey = place.key;
    if (place.row !== null) {
      const row = place.row;
      untracked(() => rows.scrollToRow(row, picked ? 'nearest' : 'third'));
    } else if (list !== this.#placedList) {
      untracked(() => rows.scrollToTop());
    }
    this.#placedList = list;
  }

  /** A move by the keyboard selects its row once that is loaded. */
  #followCursor(): void {
    const arrival = this.#cursor.arrival();
    if (!arrival) return;
    untracked(() => {
      const trace = arrival.entry?.graph_execution;
      this.virtualRowsChild()?.scrollToRow(arrival.row, 'nearest');
      if (!trace) return;
      this.#cursor.arrived();
      this.selectRow(trace, arrival.row, true);
    });
  }

  #rowsPerView(): number {
    return Math.max(1, (this.virtualRowsChild()?.rowsPerView() ?? 2) - 1);
  }

  #step(event: KeyboardEvent, distance: number): boolean {
    if (!this.#isGrid(event)) return false;
    const row = this.target.row();
    if (row === null) this.#cursor.goTo(this.#firstInView(), 1);
    else if (this.target.selected() === null) this.#cursor.goTo(row, 1);
    else this.#cursor.goBy(distance, row);
    return true;
  }

  #goToEnd(event: KeyboardEvent, direction: 1 | -1): boolean {
    if (!this.#isGrid(event)) return false;
    this.#cursor.goTo(direction === 1 ? 0 : this.list.total() - 1, direction);
    return true;
  }

  /** Keys belong to the rows only while these have the focus, not to links or fields inside the pane. */
  #isGrid(event: KeyboardEvent): boolean {
    return event.target === this.gridChild()?.nativeElement;
  }

  #firstInView(): number {
    const { begin } = this.list.viewport();
    // The first one may be covered.
    return begin === 0 ? 0 : begin + 1;
  }
}
