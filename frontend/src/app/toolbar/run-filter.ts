// Which runs a filter leaves. Pure.

/** Runs whose names hold all words, in any case. */
export function runsNamed<Run extends { readonly name: string }>(
  runs: readonly Run[],
  words: string,
): readonly Run[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return runs;
  return runs.filter(({ name }) => {
    const lower = name.toLowerCase();
    return wanted.every((word) => lower.includes(word));
  });
}
