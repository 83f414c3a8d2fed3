// The executions that Python started, in order: the whole run as a strip, a window of it as boxes, and the one in view in
// detail. Owns the window; lives as long as its run is shown.
import {
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  linkedSignal,
  untracked,
  viewChild,
} from '@angular/core';
import { executionIndex } from '../api/indices';
import { Facets } from '../filters/facets';
import { FilterChips } from '../filters/filter-chips';
import { FilterField } from '../filters/filter-field';
import { FilterFields } from '../filters/filter-fields';
import { FilterText } from '../filters/filter-text';
import { filterChips, refusalText } from '../filters/filter-words';
import { FocusedEvent } from '../state/focused-event';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { type EventFilter, NO_EVENT_FILTER } from '../state/view';
import { Dropdown } from '../ui/dropdown';
import { bindKeysWithin } from '../ui/keyboard';
import { countOf, countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { LOADING, type PaneState, READY } from '../ui/pane-state';
import { StepButton } from '../ui/step-button';
import { ExecutionBoxes } from './execution-boxes';
import { ExecutionDetail } from './execution-detail';
import { ExecutionList } from './execution-list';
import { ExecutionWindow } from './execution-window';
import { whyNone } from './none-texts';
import { OverviewStrip } from './overview-strip';

@Component({
  selector: 'tbd-timeline',
  imports: [
    Dropdown,
    ExecutionBoxes,
    ExecutionDetail,
    FilterChips,
    FilterField,
    FilterFields,
    OverviewStrip,
    Pane,
    StepButton,
  ],
  templateUrl: './timeline.html',
  styleUrl: './timeline.css',
})
export class Timeline {
  readonly #runs = inject(Runs);
  protected readonly selection = inject(Selection);
  protected readonly focused = inject(FocusedEvent);

  protected readonly window = new ExecutionWindow();
  protected readonly list = new ExecutionList();
  protected readonly filter = this.selection.executionFilter;
  protected readonly filterText = new FilterText({
    applied: () => this.filter().text,
    apply: (text) => this.changeFilter({ text }),
  });
  protected readonly facets = new Facets({
    path: '/execution/facets',
    graphId: () => this.filter().graphId,
  });
  protected readonly refusalText = refusalText;
  protected readonly start = computed(() => this.#runs.selected()?.start_time ?? null);
  protected readonly chips = computed(() =>
    filterChips(this.filter(), {
      graphName: (id) => this.facets.graphName(id),
      start: this.start(),
    }),
  );

  /** Executions of the run. */
  protected readonly count = computed(() => this.#runs.selected()?.num_executions ?? 0);
  protected readonly state = computed<PaneState>(() => {
    if (this.count() > 0) return READY;
    const run = this.#runs.selected();
    return run && run.status !== 'loading' ? whyNone(run) : LOADING;
  });
  /** The executions in view: of the first box, and behind the last; the former ones while they are not known. */
  protected readonly shown = linkedSignal<
    { readonly begin: number; readonly end: number } | null,
    { readonly begin: number; readonly end: number }
  >({
    source: () => {
      const { begin, end } = { begin: this.window.begin(), end: this.window.end() };
      if (begin === end) return { begin: 0, end: 0 };
      const first = this.list.indexAt(begin);
      const last = this.list.indexAt(end - 1);
      return first === null || last === null ? null : { begin: first, end: last + 1 };
    },
    computation: (shown, former) => shown ?? former?.value ?? { begin: 0, end: 0 },
    equal: (a, b) => a.begin === b.begin && a.end === b.end,
  });
  /** "101", or "12 of 101" under a filter. */
  protected readonly passing = computed(() => {
    const count = countText(this.count());
    return this.list.filtered() ? `${countText(this.list.total())} of ${count}` : count;
  });
  /** "101 · 23–49 shown" */
  protected readonly note = computed(() => {
    if (!this.count()) return '';
    const total = this.passing();
    const { begin, end } = this.shown();
    if (end <= begin) return total;
    const last = end - 1;
    return `${total} · ${countText(begin)}${last > begin ? `–${countText(last)}` : ''} shown`;
  });
  /** Why the number that was asked for is not shown; until the selection changes. */
  protected readonly goToProblem = linkedSignal<unknown, string>({
    source: () => this.selection.event(),
    computation: () => '',
  });

  /** The detail that is shown, and whether it is of the execution in view. */
  protected readonly detail = this.focused.execution.answer;
  protected readonly stale = computed(
    () => this.detail()?.execution.index !== this.focused.executionIndex(),
  );
  /** What to do, or why there is nothing to see. */
  protected readonly prompt = computed(() => {
    const event = this.selection.event();
    if (event?.kind !== 'trace') {
      return 'Select a box to see what ran, its inputs and its outputs. Its letter is the first of an op’s or a function’s name. Functions are blue; what gave NaN or ∞ is magenta.';
    }
    const trace = this.focused.trace.answer();
    return trace?.index === event.index && trace.execution_index === null
      ? 'The execution that the selected tensor belongs to is not known: it ran asynchronously or was not recorded.'
      : 'Loading…';
  });

  /** Why the execution in view cannot be there; empty where it can. */
  protected readonly beyond = computed(() => {
    const index = this.focused.executionIndex();
    const run = this.#runs.selected();
    if (index === null || !run || index < run.num_executions) return '';
    return run.status === 'loading'
      ? `Execution ${index} has not been read yet.`
      : `There is no execution ${index}: this run has ${countOf(run.num_executions, 'execution')}.`;
  });

  /** The list and the execution that the window has moved to; the user may have moved it since. */
  #followed = '';
  #shownKey: string | null = null;
  /** Where the user wants the window, while its row is being asked for. */
  #wanted: number | null = null;
  #asking = false;

  private readonly goToField = viewChild<ElementRef<HTMLInputElement>>('goToField');

  constructor() {
    bindKeysWithin('Python Execution Timeline', [
      {
        key: 'g',
        effect: 'Go to an execution by its number',
        run: () => this.goToField()?.nativeElement.focus(),
      },
    ]);
    effect(() => {
      const key = this.list.key();
      const total = this.list.total();
      untracked(() => {
        if (key !== this.#shownKey) this.window.moveTo(0);
        this.#shownKey = key;
        this.window.total.set(total);
      });
    });
    effect(() => {
      const { begin, end } = { begin: this.window.begin(), end: this.window.end() };
      untracked(() => this.list.rows.show(begin, end));
    });
    effect(() => {
      const index = this.focused.executionIndex();
      const row = this.list.nearestRow();
      const ready = this.window.capacity() > 0 && row !== null && row < this.window.total();
      const followed = JSON.stringify([this.list.key(), index]);
      if (index === null) this.#followed = '';
      if (!ready || followed === this.#followed) return;
      this.#followed = followed;
      untracked(() => this.window.reveal(row));
    });
  }

  protected changeFilter(change: Partial<EventFilter>): void {
    this.selection.filterExecutions(change);
  }

  protected clearFilter(): void {
    this.filterText.clear();
    this.changeFilter(NO_EVENT_FILTER);
  }

  /** Moves the window to an execution, or to the next one that passes the filter. */
  protected showFrom(index: number): void {
    this.#wanted = index;
    if (!this.list.filtered()) this.window.moveTo(index);
    else if (!this.#asking) void this.#moveToWanted();
  }

  /** One question at a time: a drag asks for the last place only. */
  async #moveToWanted(): Promise<void> {
    this.#asking = true;
    const key = this.list.key();
    for (let index = this.#wanted; index !== null; index = this.#wanted) {
      this.#wanted = null;
      const row = await this.list.rowFrom(index).catch(() => null);
      if (row !== null && key === this.list.key()) this.window.moveTo(row);
    }
    this.#asking = false;
  }

  protected goTo(field: HTMLInputElement): void {
    const text = field.value.trim().replace(/^#/, '');
    const last = this.count() - 1;
    if (!/^\d+$/.test(text)) {
      this.goToProblem.set(`Type the number of an execution: 0 to ${countText(last)}.`);
    } else if (Number(text) > last) {
      this.goToProblem.set(`There is no execution ${text}: the last one is ${last}.`);
    } else {
      this.selection.select({ kind: 'execution', index: executionIndex(Number(text)) });
      field.value = '';
      this.goToProblem.set('');
      field.blur();
    }
  }

  protected forgetGoTo(field: HTMLInputElement, event: Event): void {
    this.goToProblem.set('');
    if (field.value) event.preventDefault();
    field.value = '';
  }
}
