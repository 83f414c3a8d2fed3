// The stack of the selected event, for the panes that show it and its source. Lives as long as the page.
import { inject, Service } from '@angular/core';
import { ApiClient } from '../api/client';
import { FocusedEvent } from './focused-event';
import { readOfRun } from './run-read';
import { Selection } from './selection';

@Service()
export class FocusedStack {
  readonly #client = inject(ApiClient);
  readonly #event = inject(FocusedEvent);
  readonly #selection = inject(Selection);

  readonly stack = readOfRun({
    question: () => {
      const event = this.#selection.event();
      if (event?.kind === 'execution') return { execution_index: event.index };
      const op = this.#event.op();
      return op && { graph_id: op.graphId, op_name: op.opName };
    },
    ask: (run, event, signal) =>
      this.#client.get('/stack_frames/stack_trace', signal, { run, ...event }),
    grows: true,
  });
}
