// The selected op among its neighbours in its graph, or the selected execution with what feeds it. Owns how many hops are
// shown and how many consumers are listed; what is selected is Selection's. Lives as long as its run is shown.
import { Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { ApiError } from '../api/api-error';
import { ApiClient } from '../api/client';
import { executionIndex, traceIndex } from '../api/indices';
import { AlertRoles } from '../state/alert-roles';
import { FocusedEvent, type FocusedOp } from '../state/focused-event';
import { RunProblems } from '../state/run-problems';
import { readOfRun } from '../state/run-read';
import { Selection } from '../state/selection';
import { sameEvent, type SelectedEvent } from '../state/view';
import { graphText } from '../ui/graph-name';
import { Mark } from '../ui/mark';
import { countOf } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { empty, failed, LOADING, type PaneState, READY } from '../ui/pane-state';
import { remember, remembered } from '../host/remembered';
import { type Drawing, isBadBox, type Neighborhood } from './drawing';
import { drawExecution, nameOf } from './drawing-of-execution';
import { drawOp, MOST_LISTED, opKey } from './drawing-of-op';
import { GraphDrawing } from './graph-drawing';

const FIRST_LIMIT = 50;
/** A neighbour's own neighbours are not listed, only drawn. */
const LIMIT_OF_NEIGHBOR = 8;
const HOPS = [1, 2, 3] as const;
type Hops = (typeof HOPS)[number];

const NOTHING_SELECTED =
  'Select an alert, a row of Graph Executions or an execution to see the op among its neighbours.';
const UNOBSERVED =
  'No tensor of this graph was observed in this run: whether its values are healthy is not known.';
const LINE_SELECTED =
  'A source line is selected. Select one of the ops that it made to see its neighbours.';

interface Crumb {
  readonly text: string;
  readonly title: string;
  readonly event: SelectedEvent | null;
  /** The graph that it stands for, if any. */
  readonly graphId: string | null;
  /** What to say of a graph of which nothing was observed; else empty. */
  readonly unobserved: string;
}

/** All that the pane shows of one selected thing. */
interface Scene {
  readonly crumbs: readonly Crumb[];
  readonly current: string;
  readonly note: string;
  readonly link: { readonly text: string; readonly event: SelectedEvent } | null;
  readonly drawing: Drawing;
}

interface OpQuestion extends FocusedOp {
  readonly limit: number;
}

@Component({
  selector: 'tbd-graph-structure',
  imports: [GraphDrawing, Mark, Pane],
  templateUrl: './graph-structure.html',
  styleUrl: './graph-structure.css',
})
export class GraphStructure {
  readonly #client = inject(ApiClient);
  readonly #event = inject(FocusedEvent);
  readonly #selection = inject(Selection);
  protected readonly problems = inject(RunProblems);

  readonly #roles = inject(AlertRoles);

  protected readonly allHops = HOPS;
  protected readonly hops = signal<Hops>(rememberedHops());

  /**
   * The call in view when an op without a trace in it was chosen in the drawing: its neighbours' values stay those of that
   * call. Only context: a copied link shows the op without values.
   */
  readonly #through = signal<FocusedOp | null>(null);
  readonly #focused = computed<FocusedOp | null>(
    () => {
      const op = this.#event.op();
      const through = this.#through();
      if (!op || op.trace !== null || !through) return op;
      const same = opKey(op.graphId, op.opName) === opKey(through.graphId, through.opName);
      return same ? through : op;
    },
    { equal: (a, b) => a === b || (!!a && !!b && rootOf(a) === rootOf(b)) },
  );

  /** The op whose neighbours are asked for; kept while the record of the next trace is on its way. */
  readonly #op = linkedSignal<
    { op: FocusedOp | null; waits: boolean; run: string | null },
    { op: FocusedOp | null; run: string | null }
  >({
    source: () => ({
      op: this.#focused(),
      waits: this.#selection.event()?.kind === 'trace',
      run: this.#selection.run(),
    }),
    computation: ({ op, waits, run }, previous) => {
      const former = waits && previous?.value.run === run ? previous.value.op : null;
      return { op: op ?? former, run };
    },
  });
  readonly #limit = linkedSignal({
    source: () => {
      const { op } = this.#op();
      return op && opKey(op.graphId, op.opName);
    },
    computation: () => FIRST_LIMIT,
  });

  readonly #first = readOfRun({
    question: (): OpQuestion | null => {
      const { op } = this.#op();
      return op && { ...op, limit: this.#limit() };
    },
    ask: async (run, question: OpQuestion, signal) => ({
      question,
      neighborhood: await this.#ask(run, question, signal),
    }),
    grows: true,
  });
  readonly #second = this.#readFurther(2, () => []);
  readonly #third = this.#readFurther(3, () => this.#second.answer()?.neighborhoods ?? []);

  readonly #scene = computed<Scene | null>(() => {
    const event = this.#selection.event();
    switch (event?.kind) {
      case 'execution': {
        const detail = this.#event.execution.answer();
        return detail?.execution.index === event.index ? sceneOfExecution(detail) : null;
      }
      case 'op':
      case 'trace': {
        const answer = this.#first.answer();
        const op = this.#focused();
        const current = answer && op && rootOf(answer.question) === rootOf(op);
        return current ? this.#sceneOfOp(answer) : null;
      }
      case 'source':
      case undefined:
        return null;
    }
  });
  /** The scene, or the former one while the next is on its way. */
  protected readonly scene = linkedSignal<
    { scene: Scene | null; nothing: boolean; run: string | null },
    { scene: Scene | null; run: string | null }
  >({
    source: () => {
      const kind = this.#selection.event()?.kind;
      const nothing = kind === undefined || kind === 'source';
      return { scene: this.#scene(), nothing, run: this.#selection.run() };
    },
    computation: ({ scene, nothing, run }, previous) => {
      const former = !nothing && previous?.value.run === run ? previous.value.scene : null;
      return { scene: scene ?? former, run };
    },
  });
  protected readonly stale = computed(() => this.#scene() === null);

  protected readonly state = computed<PaneState>(() => {
    const kind = this.#selection.event()?.kind;
    if (kind === undefined) return empty(NOTHING_SELECTED);
    if (kind === 'source') return empty(LINE_SELECTED);
    const failure = this.stale() ? this.#failure() : null;
    if (failure !== null) return failed(failure);
    return this.scene().scene ? READY : LOADING;
  });
  protected readonly busy = computed(
    () =>
      this.state() === READY && (this.stale() || this.#second.pending() || this.#third.pending()),
  );
  protected readonly furtherFailed = computed(
    () => this.#second.failure() !== null || this.#third.failure() !== null,
  );
  protected readonly showsOp = computed(() => {
    const kind = this.#selection.event()?.kind;
    return kind === 'op' || kind === 'trace';
  });

  constructor() {
    this.#roles.follow(() => {
      const boxes = this.scene().scene?.drawing.boxes ?? [];
      return boxes.filter(isBadBox).map(({ event }) => event);
    });
  }

  protected select(event: SelectedEvent): void {
    if (sameEvent(event, this.#selection.event())) return;
    const shown = this.#first.answer()?.question;
    if (event.kind === 'op') {
      this.#through.set(shown?.graphId === event.graphId ? { ...event, trace: shown.trace } : null);
    }
    this.#selection.select(event);
  }

  protected showHops(hops: Hops): void {
    this.hops.set(hops);
    remember('hops', String(hops));
  }

  protected listMoreConsumers(): void {
    this.#limit.set(MOST_LISTED);
  }

  protected retry(): void {
    this.#first.retry();
    if (this.#event.trace.failure() !== null) this.#event.trace.retry();
    if (this.#event.execution.failure() !== null) this.#event.execution.retry();
  }

  readonly #failure = computed<string | null>(() => {
    const kind = this.#selection.event()?.kind;
    if (kind === 'execution') return this.#event.execution.failure();
    if (kind === 'trace' && this.#event.trace.failure() !== null) {
      return this.#event.trace.failure();
    }
    return this.#first.failure();
  });

  #sceneOfOp({
    question,
    neighborhood,
  }: {
    question: OpQuestion;
    neighborhood: Neighborhood;
  }): Scene {
    const root = rootOf(question);
    const further = [this.#second, this.#third].flatMap((read) => {
      const answer = read.answer();
      return answer?.root === root ? answer.neighborhoods : [];
    });
    const drawing = drawOp(neighborhood, {
      further,
      inCall: question.trace !== null,
      limit: question.limit,
    });
    return sceneOfNeighborhood(neighborhood, drawing, question.trace);
  }

  /** Reads the neighbours of what the drawing of one hop less shows. */
  #readFurther(hops: Hops, nearer: () => readonly Neighborhood[]) {
    return readOfRun({
      question: () => {
        const first = this.#first.answer();
        if (!first || this.hops() < hops) return null;
        const asked = nearer();
        if (hops > 2 && !asked.length) return null;
        return {
          root: rootOf(first.question),
          ops: frontier(first.question, first.neighborhood, asked),
        };
      },
      ask: async (run, { root, ops }, signal) => {
        const answers = await Promise.all(
          ops.map((op) =>
            this.#ask(run, { ...op, limit: LIMIT_OF_NEIGHBOR }, signal).catch((error: unknown) => {
              if (error instanceof ApiError && error.code === 'not_found') return null;
              throw error;
            }),
          ),
        );
        return { root, neighborhoods: answers.filter((one) => one !== null) };
      },
      grows: true,
    });
  }

  #ask(run: string, { graphId, opName, trace, limit }: OpQuestion, signal: AbortSignal) {
    return this.#client.get('/graphs/neighborhood', signal, {
      run,
      graph_id: graphId,
      op_name: opName,
      limit,
      ...(trace === null ? {} : { graph_execution_trace_index: trace }),
    });
  }
}

function rootOf({ graphId, opName, trace }: FocusedOp): string {
  return `${opKey(graphId, opName)} ${trace ?? ''}`;
}

/** The drawn ops whose neighbours are not known yet, each with a trace of its call. */
function frontier(
  { graphId, trace }: FocusedOp,
  focus: Neighborhood,
  further: readonly Neighborhood[],
): FocusedOp[] {
  const known = new Set([focus, ...further].map(({ op }) => opKey(op.graph_id, op.op_name)));
  const { boxes } = drawOp(focus, { further });
  return boxes.flatMap(({ kind, key, op, event }): FocusedOp[] => {
    if (kind !== 'op' || known.has(key) || !op) return [];
    // An op without a trace is looked at through the focus's, if it is of the same graph.
    const through = op.graphId === graphId ? trace : null;
    return [{ ...op, trace: event?.kind === 'trace' ? event.index : through }];
  });
}

function sceneOfNeighborhood(
  { graph_path, op, execution_index, ...counts }: Neighborhood,
  drawing: Drawing,
  shownTrace: number | null,
): Scene {
  const call: Crumb[] =
    execution_index === null
      ? []
      : [
          {
            text: `call ${execution_index}`,
            title: `Select execution #${execution_index}, the call in view`,
            event: { kind: 'execution', index: executionIndex(execution_index) },
            graphId: null,
            unobserved: '',
          },
        ];
  const graphs = graph_path.flatMap(({ graph_id, name, num_graph_executions }, depth): Crumb[] => {
    // Functions lie in an outermost graph without a name: that says nothing, unless the op itself is there.
    if (!name && graph_path.length > 1 && depth === 0) return [];
    return [
      {
        text: graphText(name),
        title: `Graph ${name ?? 'without a name'}, id ${graph_id}`,
        event: null,
        graphId: graph_id,
        unobserved: num_graph_executions || depth < graph_path.length - 1 ? '' : UNOBSERVED,
      },
    ];
  });
  const first = counts.first_graph_execution_index;
  const traced = countOf(counts.num_graph_executions, 'graph execution');
  const bad = counts.num_alerts ? `, ${counts.num_alerts} with NaN or ∞` : '';
  return {
    crumbs: [...call, ...graphs],
    current: op.op_name,
    note: counts.num_graph_executions ? `${traced} in this run${bad}` : 'never traced in this run',
    link:
      first === null || first === shownTrace
        ? null
        : {
            text:
              shownTrace === null
                ? `see values at the first, #${first}`
                : `first computed at #${first}`,
            event: { kind: 'trace', index: traceIndex(first) },
          },
    drawing,
  };
}

function sceneOfExecution(detail: Parameters<typeof drawExecution>[0]): Scene {
  const { execution, first_graph_execution_index: first } = detail;
  const isFunction = execution.function_name !== null;
  return {
    crumbs: [
      {
        text: `execution ${execution.index}`,
        title: execution.op_type,
        event: null,
        graphId: execution.graph_id,
        unobserved: '',
      },
    ],
    current: nameOf(detail),
    note: isFunction
      ? first === null
        ? 'A function call; nothing was traced inside it.'
        : 'A function call.'
      : 'Ran eagerly: it is in no graph. Above it is what made its inputs.',
    link:
      first === null
        ? null
        : {
            text: `See its graph at #${first}`,
            event: { kind: 'trace', index: traceIndex(first) },
          },
    drawing: drawExecution(detail),
  };
}

function rememberedHops(): Hops {
  return HOPS.find((hops) => String(hops) === remembered('hops')) ?? 1;
}
