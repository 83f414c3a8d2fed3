// The executions that Python started, in order: the whole run as a strip, a window of it as boxes, and the one in view in
// detail. Owns the window and the loaded executions; lives as long as its run is shown.
import { Component, computed, DestroyRef, effect, inject, untracked } from '@angular/core';
import { ApiClient } from '../api/client';
import { FocusedEvent } from '../state/focused-event';
import { PagedRows } from '../state/paged-rows';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { countOf, countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { empty, LOADING, type PaneState, READY } from '../ui/pane-state';
import { ExecutionBoxes } from './execution-boxes';
import { ExecutionDetail } from './execution-detail';
import { ExecutionWindow } from './execution-window';
import type { ExecutionDigest } from './execution-words';
import { OverviewStrip } from './overview-strip';

const NONE =
  'No execution was recorded. TensorFlow 1 sessions log none; and with a circular buffer (circular_buffer_size above 0) ' +
  'executions reach the disk only when the program flushes them or ends.';

@Component({
  selector: 'tbd-timeline',
  imports: [ExecutionBoxes, ExecutionDetail, OverviewStrip, Pane],
  templateUrl: './timeline.html',
  styleUrl: './timeline.css',
})
export class Timeline {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  protected readonly selection = inject(Selection);
  protected readonly focused = inject(FocusedEvent);

  protected readonly window = new ExecutionWindow();
  protected readonly rows = new PagedRows<ExecutionDigest>({
    fetchPage: async (begin, end, signal) => {
      const query = { run: this.selection.run() ?? '', begin, end };
      return (await this.#client.get('/execution/digests', signal, query)).execution_digests;
    },
  });

  readonly #total = computed(() => this.#runs.selected()?.num_executions ?? 0);
  protected readonly state = computed<PaneState>(() => {
    if (this.#total() > 0) return READY;
    return this.#runs.selected()?.status === 'loading' ? LOADING : empty(NONE);
  });
  protected readonly note = computed(() => {
    const total = this.#total();
    if (!total) return '';
    const first = this.window.begin();
    const last = this.window.end() - 1;
    if (last < first) return countText(total);
    return `${countText(total)} · showing ${countText(first)}${last > first ? `–${countText(last)}` : ''}`;
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
      return 'Select a box to see what ran, its inputs and its outputs. A letter is the first of an op’s or function’s name.';
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

  /** The execution that the window has moved to; the user may have moved it since. */
  #followed: number | null = null;
  #shownRun: string | null = null;

  constructor() {
    effect(() => {
      const run = this.selection.run();
      const total = this.#total();
      untracked(() => this.#show(run, total));
    });
    effect(() => {
      const { begin, end } = { begin: this.window.begin(), end: this.window.end() };
      untracked(() => this.rows.show(begin, end));
    });
    effect(() => {
      const index = this.focused.executionIndex();
      const ready = this.window.capacity() > 0 && index !== null && index < this.window.total();
      if (index === null) this.#followed = null;
      if (!ready || index === this.#followed) return;
      this.#followed = index;
      untracked(() => this.window.reveal(index));
    });
    inject(DestroyRef).onDestroy(() => this.rows.dispose());
  }

  /** Another run may have as many executions as the last one had. */
  #show(run: string | null, total: number): void {
    if (run !== this.#shownRun) {
      this.#shownRun = run;
      this.#followed = null;
      this.rows.reset();
      this.window.moveTo(0);
    }
    this.window.total.set(total);
    this.rows.setTotal(total);
    this.rows.show(this.window.begin(), this.window.end());
  }
}
