// Where events are missing from the lists of the shown run. Lives as long as the page.
import { computed, inject, Service } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { readOfRun } from './run-read';
import { Runs } from './runs';

type Gap = Schema<'Gap'>;
type List = keyof Schema<'Gaps'>;

@Service()
export class Gaps {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #read = readOfRun({
    // A run without problems has no gaps.
    question: () => {
      const kinds = this.#runs.selected()?.problem_kinds;
      return kinds?.length ? { kinds } : null;
    },
    ask: (run, _, signal) => this.#client.get('/gaps', signal, { run }),
    grows: true,
  });

  readonly #lists = computed<Schema<'Gaps'>>(
    () => this.#read.answer() ?? { executions: [], graph_executions: [] },
  );

  /** What is missing between two events that are listed one after the other; empty for nothing. `previous` is -1 for the first. */
  between(list: List, previous: number, index: number): string {
    const gap = lastUpTo(this.#lists()[list], index);
    return gap && gap.index > previous ? gapText(list, gap) : '';
  }
}

function lastUpTo(gaps: readonly Gap[], index: number): Gap | undefined {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gaps[middle]?.index ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return gaps[low - 1];
}

/** "Executions are missing before this one: a circular buffer dropped them." */
export function gapText(list: List, { cause, is_certain }: Gap): string {
  const events = list === 'executions' ? 'Executions' : 'Graph executions';
  const verb = is_certain ? 'are missing' : 'are probably missing';
  const reason =
    cause === 'dropped' ? 'a circular buffer dropped them' : 'a part of the file is damaged';
  return `${events} ${verb} before this one: ${reason}.`;
}
