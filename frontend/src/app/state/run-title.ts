// What a run is called on the page; pure.

/**
 * A run is named by its directory below the logdir; the logdir itself, which is named ".", is called as its own folder:
 * (".", "/logs/mlp/") -> "mlp". Where its files are of several runs, each has more behind: ".#worker" -> "mlp#worker".
 */
export function runTitle(name: string, logdir: string): string {
  if (name !== '.' && !name.startsWith('.#')) return name;
  const folder = logdir.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  return /^\.*$/.test(folder) ? name : folder + name.slice(1);
}
