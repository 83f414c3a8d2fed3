// One answer about the shown run that follows what is asked: asked again when the question changes or the run has grown,
// and, after a failure, by itself. The former answer stays until the next one is there. Lives as long as its injector.
import {
  computed,
  effect,
  inject,
  linkedSignal,
  resource,
  type Signal,
  signal,
} from '@angular/core';
import { ApiError, errorMessage } from '../api/api-error';
import { Host } from '../host/host';
import { Runs } from './runs';
import { Selection } from './selection';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export interface RunReadOptions<Question, Answer> {
  /** What to ask; null: nothing. Equal questions (as JSON) are one question. */
  readonly question: () => Question | null;
  readonly ask: (run: string, question: Question, signal: AbortSignal) => Promise<Answer>;
  /** Whether the answer may change while the run grows. */
  readonly grows?: boolean;
}

export interface RunRead<Answer> {
  /** The answer; the former one while the next is on its way, null where there is none. */
  readonly answer: Signal<Answer | null>;
  /** Whether `answer` is not (yet) the answer to the present question. */
  readonly pending: Signal<boolean>;
  /** Why the present question was not answered; it is asked again by itself, unless it was refused. */
  readonly failure: Signal<string | null>;
  /** Whether the server found the question itself at fault: asking again is of no use. */
  readonly refused: Signal<boolean>;
  /** Asks again now. */
  retry(): void;
}

interface Params {
  readonly run: string;
  readonly replacements: number;
  readonly key: string;
  readonly growth: number;
}

interface Loaded<Answer> extends Omit<Params, 'growth'> {
  readonly answer: Answer;
}

/** Must be called in an injection context. */
export function readOfRun<Question, Answer>(
  options: RunReadOptions<Question, Answer>,
): RunRead<Answer> {
  const host = inject(Host);
  const runs = inject(Runs);
  const selection = inject(Selection);

  const params = computed<Params | undefined>(
    () => {
      const run = selection.run();
      const question = options.question();
      if (run === null || question === null) return undefined;
      const growth = options.grows ? (runs.selected()?.bytes_indexed ?? 0) : 0;
      const replacements = runs.replacements();
      return { run, replacements, key: JSON.stringify(question), growth };
    },
    { equal: (a, b) => sameRun(a, b) && a?.key === b?.key && a?.growth === b?.growth },
  );

  const request = resource({
    params,
    loader: async ({ params: { run, replacements, key }, abortSignal }) => ({
      run,
      replacements,
      key,
      answer: await options.ask(run, JSON.parse(key) as Question, abortSignal),
    }),
  });

  const last = linkedSignal<
    { asked: Params | undefined; loaded: Loaded<Answer> | undefined },
    Loaded<Answer> | null
  >({
    source: () => ({
      asked: params(),
      loaded: request.hasValue() ? request.value() : undefined,
    }),
    computation: ({ asked, loaded }, previous) => {
      if (!asked) return null;
      const newest = loaded ?? previous?.value ?? null;
      return newest && sameRun(newest, asked) ? newest : null;
    },
  });

  const refused = computed(() => {
    const error = request.status() === 'error' ? request.error() : undefined;
    return error instanceof ApiError && error.code === 'invalid_argument';
  });
  const attempts = signal(0);
  effect(() => {
    params();
    attempts.set(0);
  });
  effect((onCleanup) => {
    if (request.status() !== 'error' || refused() || !host.visible()) return;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts(), LONGEST_RETRY_MS);
    const timer = setTimeout(() => {
      attempts.update((count) => count + 1);
      request.reload();
    }, wait);
    onCleanup(() => clearTimeout(timer));
  });

  return {
    answer: computed(() => last()?.answer ?? null),
    pending: computed(() => {
      const asked = params();
      return asked !== undefined && last()?.key !== asked.key;
    }),
    failure: computed(() => (request.status() === 'error' ? errorMessage(request.error()) : null)),
    refused,
    retry: () => void request.reload(),
  };
}

function sameRun(
  a: Pick<Params, 'run' | 'replacements'> | undefined,
  b: Pick<Params, 'run' | 'replacements'> | undefined,
): boolean {
  return a?.run === b?.run && a?.replacements === b?.replacements;
}
