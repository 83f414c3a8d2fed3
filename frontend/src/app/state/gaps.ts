// Where events are missing from the lists of the shown run. Lives as long as the page.
import { computed, inject, Service } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { readOfRun } from './run-read';
import { Runs } from './runs';

type Gap = Schema<'Gap'>;
type List = keyof Schema<'Gaps'>;

export interface DescribedGap {
  /** Of the event right behind the gap. */
  readonly index: number;
  /** What is missing there, and why. */
  readonly text: string;
}

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

  /** All gaps of a list, by ascending index. */
  of(list: List): readonly DescribedGap[] {
    const gaps = this.#lists()[list];
    return gaps.map((gap, place) => ({
      index: gap.index,
      text: gapText(list, gap, this.#numKept(list, place)),
    }));
  }

  /** What is missing between two events that are listed one after the other; empty for nothing. `previous` is -1 for the first. */
  between(list: List, previous: number, index: number): string {
    const gaps = this.#lists()[list];
    const place = lastUpTo(gaps, index);
    const gap = gaps[place];
    return gap && gap.index > previous ? gapText(list, gap, this.#numKept(list, place)) : '';
  }

  /** Events from a gap to the next one. */
  #numKept(list: List, place: number): number {
    const gaps = this.#lists()[list];
    const end = gaps[place + 1]?.index ?? this.#runs.selected()?.[`num_${list}`] ?? 0;
    return end - (gaps[place]?.index ?? 0);
  }
}

/** The place of the last gap before or at an index; -1 where there is none. */
function lastUpTo(gaps: readonly Gap[], index: number): number {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gaps[middle]?.index ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** "Executions are missing before this one: a circular buffer kept only the 1,000 that follow." */
export function gapText(list: List, { cause, is_certain }: Gap, numKept: number): string {
  const events = list === 'executions' ? 'Executions' : 'Graph executions';
  const verb = is_certain ? 'are missing' : 'are probably missing';
  const kept = numKept > 1 ? `the ${numKept.toLocaleString('en')} that follow` : 'this one';
  const reason =
    cause === 'dropped' ? `a circular buffer kept only ${kept}` : 'a part of the file is damaged';
  return `${events} ${verb} before this one: ${reason}.`;
}
