// All about the execution in view: what ran, when and where, its inputs with who made them, its outputs with their values.
// Reads the focused event; owns only what the user unfolded.
import { Component, computed, inject, input, linkedSignal } from '@angular/core';
import type { Schema } from '../api/client';
import { executionIndex, traceIndex } from '../api/indices';
import { FocusedEvent } from '../state/focused-event';
import { RunProblems } from '../state/run-problems';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { shortDevice } from '../ui/device-name';
import { Mark } from '../ui/mark';
import { countOf } from '../ui/number-text';
import { elapsedText, exactTimeText } from '../ui/time-text';
import { executionName, functionWords } from './execution-words';
import { ExecutionOutput } from './execution-output';
import { inputGroups, outputGroups } from './execution-tensors';

const DROPPED = 'Those of this call were probably dropped by the circular buffer.';

@Component({
  selector: 'tbd-execution-detail',
  imports: [ExecutionOutput, Mark],
  templateUrl: './execution-detail.html',
  styleUrl: './execution-detail.css',
})
export class ExecutionDetail {
  readonly #selection = inject(Selection);
  readonly #problems = inject(RunProblems);
  readonly #runs = inject(Runs);
  protected readonly focused = inject(FocusedEvent);

  readonly detail = input.required<Schema<'ExecutionDetail'>>();
  /** The selected alert, an output of this execution perhaps. */
  readonly alert = input<number | null>(null);

  protected readonly execution = computed(() => this.detail().execution);
  protected readonly name = computed(() => executionName(this.execution()));
  protected readonly kind = computed(() => functionWords(this.execution()));
  /** Shown for a trace that was selected. */
  protected readonly isCall = computed(() => this.#selection.event()?.kind === 'trace');
  protected readonly inputs = computed(() => inputGroups(this.detail().inputs));
  protected readonly outputs = computed(() => outputGroups(this.detail()));

  protected readonly time = computed(() => {
    const { time_since_start } = this.detail();
    return time_since_start === null
      ? exactTimeText(this.execution().wall_time)
      : elapsedText(time_since_start);
  });
  protected readonly exactTime = computed(() => exactTimeText(this.execution().wall_time));
  /** The devices of the outputs, each once. */
  protected readonly devices = computed(() => {
    const names = this.detail().outputs.flatMap(({ device_name }) => device_name ?? []);
    return [...new Set(names)].map((name) => ({ name, short: shortDevice(name) }));
  });
  /** Why no output has a value; empty where there are some. */
  protected readonly noValues = computed(() => {
    const { outputs, mode } = this.detail();
    if (!outputs.length || outputs.some(({ health }) => health)) return '';
    return mode === 'NO_TENSOR' ? 'NO_TENSOR records no values' : `${mode} recorded no value here`;
  });

  /** Why nothing inside the call was observed; empty where that is not known. */
  protected readonly unobserved = computed(() => {
    const graphId = this.execution().graph_id;
    if (graphId === null) return '';
    const isDropped = this.#runs.selected()?.problem_kinds.includes('graph_executions_dropped');
    return this.#problems.ofGraph(graphId) || (isDropped ? DROPPED : '');
  });

  protected readonly allInputs = linkedSignal({
    source: () => this.execution().index,
    computation: () => false,
  });
  protected readonly allOutputs = linkedSignal({
    source: () => this.execution().index,
    computation: () => false,
  });
  /** Open from the start if the selected alert is among them. */
  protected readonly savedShown = linkedSignal(() => {
    this.execution();
    const alert = this.alert();
    return alert !== null && this.outputs().saved.some((saved) => saved.alert_index === alert);
  });

  protected readonly graphExecutions = computed(() =>
    countOf(this.detail().num_graph_executions, 'graph execution'),
  );

  protected selectExecution(index: number): void {
    this.#selection.select({ kind: 'execution', index: executionIndex(index) });
  }

  protected selectTrace(index: number): void {
    this.#selection.select({ kind: 'trace', index: traceIndex(index) });
  }
}
