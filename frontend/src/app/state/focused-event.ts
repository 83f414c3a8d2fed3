// What the selected event is, looked up once for all panes: its op in a graph, its call, and its record. The selection says
// what was asked for; this says what was found. Lives as long as the page.
import { computed, inject, Service } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { executionIndex, traceIndex, type ExecutionIndex, type TraceIndex } from '../api/indices';
import { readOfRun } from './run-read';
import { Runs } from './runs';
import { Selection } from './selection';

/** An op of a graph, and the trace through which it is looked at, if any: values are those of that call. */
export interface FocusedOp {
  readonly graphId: string;
  readonly opName: string;
  readonly trace: TraceIndex | null;
}

@Service()
export class FocusedEvent {
  readonly #client = inject(ApiClient);
  readonly #selection = inject(Selection);
  readonly #runs = inject(Runs);

  /** The record of a selected graph execution trace. */
  readonly trace = readOfRun({
    question: () => {
      const event = this.#selection.event();
      return event?.kind === 'trace' && this.#isRead('num_graph_executions', event.index)
        ? event.index
        : null;
    },
    ask: async (run, index, signal) => {
      const query = { run, begin: index, end: index + 1 };
      const page = await this.#client.get('/graph_execution/data', signal, query);
      return page.graph_executions[0] as Schema<'GraphExecution'>;
    },
    grows: true,
  });

  /** The execution in view: the selected one, or else the call that the selected trace belongs to. */
  readonly executionIndex = computed<ExecutionIndex | null>(() => {
    const event = this.#selection.event();
    if (event?.kind === 'execution') return event.index;
    const call = event?.kind === 'trace' ? this.#traceRecord()?.execution_index : null;
    return call === null || call === undefined ? null : executionIndex(call);
  });

  /** The execution in view with its inputs, outputs and traces. */
  readonly execution = readOfRun({
    question: () => {
      const index = this.executionIndex();
      return index !== null && this.#isRead('num_executions', index) ? index : null;
    },
    ask: (run, index, signal) => this.#client.get('/execution/detail', signal, { run, index }),
    grows: true,
  });

  /** The graph op in view; null for an execution or a source line. */
  readonly op = computed<FocusedOp | null>(
    () => {
      const event = this.#selection.event();
      if (event?.kind === 'op') {
        return { graphId: event.graphId, opName: event.opName, trace: null };
      }
      const record = event?.kind === 'trace' ? this.#traceRecord() : null;
      return (
        record && {
          graphId: record.graph_id,
          opName: record.op_name,
          trace: traceIndex(record.index),
        }
      );
    },
    {
      equal: (a, b) =>
        a?.graphId === b?.graphId && a?.opName === b?.opName && a?.trace === b?.trace,
    },
  );

  /** False while a run is being read and has not come as far as an index that a link names. */
  #isRead(table: 'num_executions' | 'num_graph_executions', index: number): boolean {
    const run = this.#runs.selected();
    return run !== null && (run.status !== 'loading' || index < run[table]);
  }

  /** The selected trace's record, once it is the selected one's. */
  readonly #traceRecord = computed(() => {
    const event = this.#selection.event();
    const record = this.trace.answer();
    return event?.kind === 'trace' && record?.index === event.index ? record : null;
  });
}
