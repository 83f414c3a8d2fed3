// The problems of the shown run, asked for where it has some, and again as it grows. Lives as long as the page.
import { computed, inject, Service } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { readOfRun } from './run-read';
import { type Run, Runs } from './runs';

export type Problem = Schema<'Problem'>;

/** Kinds that tell of a graph itself, not of some of its calls. */
const OF_GRAPHS: ReadonlySet<Problem['kind']> = new Set([
  'missing_ops',
  'graphs_without_ops',
  'dangling_inputs',
  'unobserved_calls',
  'unobserved_functions',
] as const);

/** What can have taken any event of a run with it, the likeliest reason first. */
export const LOSSES = [
  'missing_file',
  'unreadable_file',
  'bad_length',
  'bad_payload',
  'undecodable',
  'too_large',
  'too_many_names',
] as const satisfies readonly Problem['kind'][];

/** The first of some kinds that a run has problems of. */
export function problemOf<Kind extends Problem['kind']>(
  run: Pick<Run, 'problem_kinds'> | null,
  kinds: readonly Kind[],
): Kind | undefined {
  return kinds.find((kind) => run?.problem_kinds.includes(kind));
}

@Service()
export class RunProblems {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #read = readOfRun({
    question: () => {
      const run = this.#runs.selected();
      return run?.num_problems ? { count: run.num_problems, kinds: run.problem_kinds } : null;
    },
    ask: (run, _, signal) => this.#client.get('/problems', signal, { run, begin: 0, end: -1 }),
    grows: true,
  });

  /** The first thousand, gravest first; null while they are not known. */
  readonly list = computed<readonly Problem[] | null>(() =>
    this.#runs.selected()?.num_problems === 0 ? [] : (this.#read.answer()?.problems ?? null),
  );
  readonly failure = this.#read.failure;

  readonly #byGraph = computed(() => {
    const those = (this.list() ?? []).filter(({ kind }) => OF_GRAPHS.has(kind));
    const pairs = those.flatMap((problem) =>
      problem.graphs.map(({ graph_id }) => [graph_id, problem] as const),
    );
    return Map.groupBy(pairs, ([graphId]) => graphId);
  });

  /** What is amiss with a graph, of one kind or of any; empty where nothing is known to be. */
  ofGraph(graphId: string, only?: Problem['kind']): string {
    const found = this.#byGraph().get(graphId) ?? [];
    return found
      .filter(([, { kind }]) => only === undefined || kind === only)
      .map(([, { title, meaning }]) => `${title}. ${meaning.replaceAll('`', '')}`)
      .join('\n');
  }

  retry(): void {
    this.#read.retry();
  }
}
