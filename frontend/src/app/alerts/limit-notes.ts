// What a run cannot tell about its causes, apart from the call that would have recorded it. Pure.

export interface LimitNote {
  readonly sentences: readonly string[];
  /** To copy; empty where no call would help. */
  readonly call: string;
}

const CALL = /\s*(tf\.[\w.]+\(.*\))\s*$/s;

/** Notes that end in the same call become one. */
export function limitNotes(limits: readonly string[]): LimitNote[] {
  const sentences = new Map<string, string[]>();
  for (const limit of limits) {
    const call = CALL.exec(limit)?.[1] ?? '';
    const words = call ? `${limit.replace(CALL, '')}:` : limit;
    sentences.set(call, [...(sentences.get(call) ?? []), words]);
  }
  return [...sentences].map(([call, words]) => ({ call, sentences: words }));
}
