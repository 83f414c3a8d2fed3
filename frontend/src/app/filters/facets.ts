// What there is to filter by in the shown run, asked for once somebody wants to see it. Belongs to a pane.
import { computed, effect, inject, linkedSignal, untracked } from '@angular/core';
import { ApiClient, type Schema } from '../api/client';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { graphText } from '../ui/graph-name';

export interface FacetsOptions {
  readonly path: '/execution/facets' | '/graph_execution/facets';
  /** The graph that the filter names: its name is to be known. */
  readonly graphId: () => string | null;
}

/** Must be made in an injection context. */
export class Facets {
  readonly #runs = inject(Runs);
  /** How much of the run was read when somebody last looked; null before. */
  readonly #lookedAt = linkedSignal<string | null, number | null>({
    source: inject(Selection).run,
    computation: () => null,
  });
  readonly #read;

  readonly failure;
  /** Null until known. */
  readonly all;
  readonly #graphNames = computed(() => graphNames(this.all()?.graphs ?? []));

  constructor(options: FacetsOptions) {
    const client = inject(ApiClient);
    this.#read = readOfRun({
      question: () => this.#lookedAt(),
      ask: (run, _, signal) => client.get(options.path, signal, { run }),
    });
    this.all = this.#read.answer;
    this.failure = this.#read.failure;
    effect(() => {
      const named = options.graphId() !== null && this.#runs.selected() !== null;
      if (named && untracked(this.#lookedAt) === null) untracked(() => this.look());
    });
  }

  /** Somebody looks: they are asked for unless they are those of the run as it is. */
  look(): void {
    this.#lookedAt.set(this.#runs.selected()?.bytes_indexed ?? 0);
  }

  retry(): void {
    this.#read.retry();
  }

  /** "loss_fn"; with a part of its id where several graphs have that name, the id where none is known. */
  graphName(id: string): string {
    return this.#graphNames().get(id) ?? shortId(id);
  }
}

export function graphNames(graphs: readonly Schema<'GraphFacet'>[]): ReadonlyMap<string, string> {
  const ofId = new Map<string, string>();
  const times = new Map<string, number>();
  for (const { graph_id, graph_name } of graphs) {
    const name = graphText(graph_name);
    ofId.set(graph_id, name);
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  for (const [id, name] of ofId) {
    if ((times.get(name) ?? 0) > 1) ofId.set(id, `${name} (${shortId(id)})`);
  }
  return ofId;
}

function shortId(id: string): string {
  return id.slice(0, 6);
}
