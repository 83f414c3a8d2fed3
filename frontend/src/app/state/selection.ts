// The one selection that drives all panes. The address holds it; this reads it as signals and changes it in whole steps.
// A selection says what was asked for: whether a run or an index exists is for those who load it to find out.
import { computed, inject, Service, type Signal, signal } from '@angular/core';
import type { AlertIndex } from '../api/indices';
import { Host } from '../host/host';
import { decodeView, encodeView } from './selection-url';
import {
  EMPTY_VIEW,
  type EventFilter,
  sameEvent,
  sameFilter,
  samePosition,
  type SelectedEvent,
  type SourcePosition,
  type TraceFilter,
  type View,
} from './view';

/** Where the view is written; HostHash is one. */
export interface ViewAddress {
  readonly entries: Signal<ReadonlyMap<string, string>>;
  push(changes: Record<string, string | null>): void;
  replace(changes: Record<string, string | null>): void;
}

/** Steps that follow each other this closely are one step of the history. */
const RAPID_STEP_MS = 1000;

/** Parts of a filter that mean nothing in another run. */
const OF_ONE_RUN = { device: null, graphId: null, beginTime: null, endTime: null };

export interface SelectOptions {
  /** The alert from which the event was reached. */
  readonly alert?: AlertIndex | null;
  /** The source line to focus, where it is already known. */
  readonly focus?: SourcePosition | null;
  /** One of a series of steps (arrow keys, n, p): a rapid series makes one step of the history. */
  readonly step?: boolean;
  /** Changes of the list of graph executions that come with the selection. */
  readonly traceFilter?: Partial<TraceFilter>;
}

/** The store over any address; panes inject `Selection`. */
export class SelectionStore {
  readonly #view: Signal<View>;
  #lastStep = -Infinity;
  /** The event that keeps the former one's focus while sticking, until its own is known. */
  readonly #keepsFocus = signal<SelectedEvent | null>(null);

  readonly run: Signal<string | null>;
  readonly event: Signal<SelectedEvent | null>;
  readonly alert: Signal<AlertIndex | null>;
  readonly focus: Signal<SourcePosition | null>;
  /** Whether the selected event's own line is still to be found: it has none, or keeps the former event's. */
  readonly awaitsFocus: Signal<boolean>;
  readonly stickToBottommost: Signal<boolean>;
  readonly traceFilter: Signal<TraceFilter>;
  readonly executionFilter: Signal<EventFilter>;
  readonly collapsesLoops: Signal<boolean>;
  readonly mutes: Signal<string | null>;

  constructor(private readonly address: ViewAddress) {
    this.#view = computed(() => decodeView(address.entries()));
    this.run = computed(() => this.#view().run);
    this.event = computed(() => this.#view().event, { equal: sameEvent });
    this.alert = computed(() => this.#view().alert);
    this.focus = computed(() => this.#view().focus, { equal: samePosition });
    this.awaitsFocus = computed(() => {
      const event = this.event();
      return event !== null && (this.focus() === null || sameEvent(event, this.#keepsFocus()));
    });
    this.stickToBottommost = computed(() => this.#view().stickToBottommost);
    this.traceFilter = computed(() => this.#view().traceFilter, { equal: sameFilter });
    this.executionFilter = computed(() => this.#view().executionFilter, { equal: sameFilter });
    this.collapsesLoops = computed(() => this.#view().collapsesLoops);
    this.mutes = computed(() => this.#view().mutes);
  }

  /** Selects an event, or nothing. While sticking, the focus stays until the new stack is known. */
  select(event: SelectedEvent | null, options: SelectOptions = {}): void {
    const view = this.#view();
    const keptFocus = view.stickToBottommost ? view.focus : null;
    const next: View = {
      ...view,
      event,
      alert: options.alert ?? null,
      focus: options.focus ?? keptFocus,
      traceFilter: { ...view.traceFilter, ...options.traceFilter },
    };
    this.#keepsFocus.set(options.focus || !keptFocus ? null : event);
    const now = Date.now();
    const rapid = options.step === true && now - this.#lastStep < RAPID_STEP_MS;
    this.#lastStep = options.step ? now : -Infinity;
    if (rapid) this.#replace(next);
    else this.#push(next);
  }

  /** Shows another run: nothing of the former one is selected there; what filters can say of any run stays. */
  selectRun(run: string): void {
    if (run === this.run()) return;
    this.#push({
      ...EMPTY_VIEW,
      run,
      traceFilter: { ...this.traceFilter(), ...OF_ONE_RUN, opName: null, call: null },
      executionFilter: { ...this.executionFilter(), ...OF_ONE_RUN },
      collapsesLoops: this.collapsesLoops(),
      mutes: this.mutes(),
    });
  }

  /** Shows a run that the user did not choose: no step of the history. */
  adoptRun(run: string): void {
    this.#replace({ ...this.#view(), run });
  }

  /** The user goes to a source line; the selected event stays. */
  focusSource(focus: SourcePosition, options: { readonly stickToBottommost?: boolean } = {}): void {
    const view = this.#view();
    this.#keepsFocus.set(null);
    this.#push({
      ...view,
      focus,
      stickToBottommost: options.stickToBottommost ?? view.stickToBottommost,
    });
  }

  /** The selected event's own line became known (its innermost user frame): no step of the history. */
  resolveFocus(focus: SourcePosition): void {
    this.#keepsFocus.set(null);
    this.#replace({ ...this.#view(), focus });
  }

  filterTraces(change: Partial<TraceFilter>): void {
    const view = this.#view();
    this.#replace({ ...view, traceFilter: { ...view.traceFilter, ...change } });
  }

  filterExecutions(change: Partial<EventFilter>): void {
    const view = this.#view();
    this.#replace({ ...view, executionFilter: { ...view.executionFilter, ...change } });
  }

  collapseLoops(collapses: boolean): void {
    this.#replace({ ...this.#view(), collapsesLoops: collapses });
  }

  /** Writes the rules in force into the address: no step of the history. */
  showMutes(mutes: string | null): void {
    this.#replace({ ...this.#view(), mutes });
  }

  #push(view: View): void {
    this.address.push(encodeView(view));
  }

  #replace(view: View): void {
    this.address.replace(encodeView(view));
  }
}

@Service()
export class Selection extends SelectionStore {
  constructor() {
    super(inject(Host).hash);
  }
}
