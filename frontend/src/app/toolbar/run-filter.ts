// Which runs a filter leaves. Pure.

/** Runs whose titles hold all words, in any case. */
export function runsNamed<Run extends { readonly title: string }>(
  runs: readonly Run[],
  words: string,
): readonly Run[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return runs;
  return runs.filter(({ title }) => {
    const lower = title.toLowerCase();
    return wanted.every((word) => lower.includes(word));
  });
}
