// The graph execution traces in order of time, under headings of their calls. Lives as long as the page; owns where the list
// is scrolled to. Rows, their places and inputs are the classes' beside it; what is selected is the selection's.
import {
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  linkedSignal,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { alertIndex, executionIndex, traceIndex, type TraceIndex } from '../api/indices';
import { Facets } from '../filters/facets';
import { FilterChips } from '../filters/filter-chips';
import { FilterField } from '../filters/filter-field';
import { FilterFields } from '../filters/filter-fields';
import { FilterText } from '../filters/filter-text';
import { filterChips, refusalText } from '../filters/filter-words';
import { type AlertRole, AlertRoles, eventOfAlert } from '../state/alert-roles';
import { FocusedEvent } from '../state/focused-event';
import { Gaps } from '../state/gaps';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { NO_TRACE_FILTER, passesAll, type SelectedEvent, type TraceFilter } from '../state/view';
import { Dropdown } from '../ui/dropdown';
import { bindKeys, bindKeysWithin } from '../ui/keyboard';
import { countOf, countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { empty, failed, LOADING, type PaneState, READY, unsupported } from '../ui/pane-state';
import type { CauseLink } from '../ui/role-mark';
import { VirtualRows } from '../ui/virtual-rows';
import { CallHeading } from './call-heading';
import { headerOfTrace } from './heading-text';
import { InputList } from './input-list';
import { InputRows } from './input-rows';
import { modeNote, untold, whyNone } from './list-texts';
import { RowCursor } from './row-cursor';
import { TargetTrace } from './target-trace';
import { type ListRow, type Trace, TraceList } from './trace-list';
import { TraceRow } from './trace-row';

@Component({
  selector: 'tbd-graph-executions',
  imports: [
    CallHeading,
    Dropdown,
    FilterChips,
    FilterField,
    FilterFields,
    InputList,
    Pane,
    TraceRow,
    VirtualRows,
  ],
  templateUrl: './graph-executions.html',
  styleUrl: './graph-executions.css',
})
export class GraphExecutions {
  readonly #selection = inject(Selection);
  readonly #runs = inject(Runs);
  readonly #focused = inject(FocusedEvent);
  readonly #gaps = inject(Gaps);
  readonly #roles = inject(AlertRoles);

  protected readonly list = new TraceList();
  protected readonly target = new TargetTrace(this.list);
  protected readonly inputs = new InputRows(this.target);
  protected readonly filterText = new FilterText({
    applied: () => this.filter().text,
    apply: (text) => this.changeFilter({ text }),
  });
  protected readonly facets = new Facets({
    path: '/graph_execution/facets',
    graphId: () => this.filter().graphId,
  });
  readonly #cursor = new RowCursor<ListRow>(this.list, (row) => row.graph_execution === null);

  private readonly virtualRowsChild = viewChild(VirtualRows);
  protected readonly grid = viewChild<ElementRef<HTMLElement>>('grid');
  private readonly filterFieldChild = viewChild(FilterField);
  private readonly goToFieldChild = viewChild<ElementRef<HTMLInputElement>>('goToField');
  /** How far the keyboard has asked to go; null where it has not. */
  readonly #steps = signal<number | null>(null);
  #placedKey = '';
  #placedList: string | null = null;

  protected readonly count = computed(() => this.#runs.selected()?.num_graph_executions ?? 0);
  protected readonly filter = this.#selection.traceFilter;
  protected readonly filtered = computed(() => !passesAll(this.filter()));
  protected readonly start = computed(() => this.#runs.selected()?.start_time ?? null);
  protected readonly chips = computed(() =>
    filterChips(
      this.filter(),
      { graphName: (id) => this.facets.graphName(id), start: this.start() },
      ['text', 'infNanOnly'],
    ),
  );
  /** The call that is filtered by, or else the one in view. */
  protected readonly callToFilterBy = computed(
    () => this.filter().call ?? this.#focused.executionIndex(),
  );
  protected readonly countOf = countOf;
  protected readonly refusalText = refusalText;
  protected readonly collapses = this.#selection.collapsesLoops;
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
      if (this.list.refusal() !== null) return empty('Nothing is listed: see the filter above.');
      const failure = size.failure();
      return failure === null ? LOADING : failed(failure);
    }
    const reason = untold(run, this.filter());
    if (reason) return unsupported(reason);
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
  /** The traces in view that have an alert. */
  readonly #badTraces = computed(() => {
    const { begin, end } = this.list.viewport();
    const rows = Array.from({ length: end - begin }, (_, offset) => this.list.row(begin + offset));
    return rows.flatMap((row) => {
      const trace = row?.graph_execution;
      return trace && trace.alert_index !== null ? [eventOf(trace)] : [];
    });
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
  /** An op whose creation is not on disk has no type. */
  protected readonly opIsOnDisk = computed(() => this.#focused.trace.answer()?.op_type !== '');
  protected readonly selectedGraph = computed(() => {
    const trace = this.#focused.trace.answer();
    return trace && trace.index === this.target.selected() ? trace.graph_id : null;
  });
  /** The passes and the trace of the selected row, where another of its passes than the one it shows is selected. */
  protected readonly folded = computed(() => {
    const entry = this.#selectedEntry();
    const trace = entry?.graph_execution;
    return entry?.passes && trace && trace.index !== this.target.selected()
      ? { num_passes: entry.passes.num_passes, trace }
      : null;
  });
  /** Why the number that was asked for is not shown; until the selection changes. */
  protected readonly goToProblem = linkedSignal<unknown, string>({
    source: () => this.#selection.event(),
    computation: () => '',
  });

  constructor() {
    bindKeys([
      {
        key: '/',
        effect: 'Filter graph executions',
        run: () => this.#focusFilter(),
      },
      {
        key: 'g',
        effect: 'Go to a graph execution by its number',
        run: () => this.#focusGoTo(),
      },
    ]);
    bindKeysWithin('Graph Executions', [
      { key: 'ArrowDown', effect: 'Next graph execution', run: (e) => this.#step(e, 1) },
      { key: 'ArrowUp', effect: 'Previous graph execution', run: (e) => this.#step(e, -1) },
      { key: 'PageDown', effect: 'A page down', run: (e) => this.#step(e, this.#rowsPerView()) },
      { key: 'PageUp', effect: 'A page up', run: (e) => this.#step(e, -this.#rowsPerView()) },
      { key: 'Home', effect: 'First graph execution', run: (e) => this.#goToEnd(e, 1) },
      { key: 'End', effect: 'Last graph execution', run: (e) => this.#goToEnd(e, -1) },
      {
        key: 'Enter',
        effect: 'Select the row; again, list its passes',
        run: (e) => this.#enter(e),
      },
      {
        key: 'ArrowRight',
        effect: 'First bad pass of a collapsed loop',
        run: (e) => this.#openPasses(e),
      },
      { key: 'ArrowLeft', effect: 'Back from its passes', run: (e) => this.#leavePasses(e) },
    ]);
    this.#roles.follow(this.#badTraces);
    effect(() => this.#followSelection());
    effect(() => this.#followSteps());
    effect(() => this.#followCursor());
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

  /** What is missing between the traces above and below the upper edge of a row; empty for nothing. */
  protected gapAbove(row: number): string {
    const below = this.#traceIn(row) ?? this.#traceIn(row + 1);
    const above = this.#traceIn(row - 1);
    // A gap is drawn above the heading that follows it.
    const isHeaded = row > 0 && !!this.list.row(row - 1)?.call && !!this.#traceIn(row);
    if (!below || isHeaded) return '';
    const previous = row === 0 ? -1 : (above?.index ?? below.index - 1);
    return this.#gaps.between('graph_executions', previous, below.index);
  }

  #traceIn(row: number): Trace | null {
    return this.list.row(row)?.graph_execution ?? null;
  }

  protected ofSelectedCall(execution: number | null): boolean {
    return execution !== null && execution === this.selectedExecution();
  }

  /** A row of several passes is selected with each of them. */
  protected isSelected(row: number, trace: Trace): boolean {
    const selected = this.target.selected();
    return selected !== null && (trace.index === selected || row === this.target.row());
  }

  protected selectRow(trace: Trace, row: number, step = false): void {
    const index = traceIndex(trace.index);
    const alert = trace.alert_index === null ? null : alertIndex(trace.alert_index);
    this.target.pick(index, row);
    this.#selection.select({ kind: 'trace', index }, { alert, step });
  }

  protected roleOf(trace: Trace): AlertRole | null {
    return trace.alert_index === null ? null : this.#roles.of(eventOf(trace));
  }

  /** From a bad row to where its values came from. */
  protected goBack(link: CauseLink): void {
    const event = eventOfAlert(link);
    if (event) this.#selection.select(event, { alert: alertIndex(link.alert_index) });
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
      this.grid()?.nativeElement.focus();
    }
  }

  protected forgetGoTo(field: HTMLInputElement, event: Event): void {
    this.goToProblem.set('');
    if (field.value) event.preventDefault();
    field.value = '';
  }

  protected changeFilter(change: Partial<TraceFilter>): void {
    this.#selection.filterTraces(change);
  }

  protected clearFilter(): void {
    this.filterText.clear();
    this.#selection.filterTraces(NO_TRACE_FILTER);
  }

  protected toggleCollapse(): void {
    this.#selection.collapseLoops(!this.collapses());
  }

  /** Lists the passes that a row stands for, and selects one of them: the row's own, or another. */
  protected showPasses(trace: Trace, selected = trace.index): void {
    const { graph_id: graphId, op_name: opName, execution_index: call } = trace;
    this.#selection.select(
      { kind: 'trace', index: traceIndex(selected) },
      { traceFilter: { graphId, opName, call: call === null ? null : executionIndex(call) } },
    );
    // The button that was pressed goes with its row.
    this.grid()?.nativeElement.focus({ preventScroll: true });
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
    this.#steps.update((steps) => (steps ?? 0) + distance);
    return true;
  }

  /** Steps by the keyboard start from the selected row, once it is known where that is. */
  #followSteps(): void {
    const steps = this.#steps();
    const known = this.target.place() !== null || this.list.refusal() !== null;
    if (steps === null || !known) return;
    untracked(() => {
      this.#steps.set(null);
      const row = this.target.row();
      if (row === null) this.#cursor.goTo(this.#firstInView(), 1);
      else if (this.target.selected() === null) this.#cursor.goTo(row, 1);
      else this.#cursor.goBy(steps, row);
    });
  }

  #enter(event: KeyboardEvent): boolean {
    const entry = this.#selectedEntry();
    if (!this.#isGrid(event) || !entry?.passes) return this.#step(event, 0);
    if (entry.graph_execution) this.showPasses(entry.graph_execution);
    return true;
  }

  #openPasses(event: KeyboardEvent): boolean {
    const entry = this.#selectedEntry();
    if (!this.#isGrid(event) || !entry?.passes || !entry.graph_execution) return false;
    this.showPasses(entry.graph_execution, entry.passes.first_bad_index ?? undefined);
    return true;
  }

  #leavePasses(event: KeyboardEvent): boolean {
    if (!this.#isGrid(event) || this.filter().opName === null) return false;
    this.changeFilter({ opName: null, graphId: null, call: null });
    return true;
  }

  #selectedEntry(): ListRow | undefined {
    const row = this.target.selected() === null ? null : this.target.row();
    return row === null ? undefined : this.list.row(row);
  }

  #focusFilter(): boolean {
    const field = this.filterFieldChild();
    field?.focus();
    return field !== undefined;
  }

  #focusGoTo(): boolean {
    const field = this.goToFieldChild()?.nativeElement;
    field?.focus();
    return field !== undefined;
  }

  #goToEnd(event: KeyboardEvent, direction: 1 | -1): boolean {
    if (!this.#isGrid(event)) return false;
    this.#cursor.goTo(direction === 1 ? 0 : this.list.total() - 1, direction);
    return true;
  }

  /** Keys belong to the rows only while these have the focus, not to links or fields inside the pane. */
  #isGrid(event: KeyboardEvent): boolean {
    return event.target === this.grid()?.nativeElement;
  }

  #firstInView(): number {
    const { begin } = this.list.viewport();
    // The first one may be covered.
    return begin === 0 ? 0 : begin + 1;
  }
}

function eventOf({ index }: Trace): SelectedEvent {
  return { kind: 'trace', index: traceIndex(index) };
}
