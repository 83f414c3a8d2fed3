// The text of TensorBoard's hash and this plugin's entries in it; pure.
// "#tb_debugger&p.tb_debugger.run=a/b&x=1" <-> plugin "tb_debugger", entries {run: "a/b"}, and all else kept as it is.

const PLUGIN = 'tb_debugger';
const PREFIX = `p.${PLUGIN}.`;

/** This plugin's own entries, by key without the prefix. */
export type HashEntries = ReadonlyMap<string, string>;
/** Entries to set, or with null to remove. */
export type HashChanges = Readonly<Record<string, string | null>>;

/** Whether the hash shows this plugin's tab, or does not tell. */
export function showsThisPlugin(hash: string): boolean {
  const plugin = segments(hash).find((segment) => !segment.includes('='));
  return plugin === undefined || plugin === PLUGIN;
}

export function readEntries(hash: string): HashEntries {
  const entries = new Map<string, string>();
  for (const segment of segments(hash)) {
    const [key, value] = keyAndValue(segment);
    if (key.startsWith(PREFIX)) entries.set(key.slice(PREFIX.length), value);
  }
  return entries;
}

/** The hash with this plugin's entries replaced, behind everything that is not its own. */
export function writeEntries(hash: string, entries: HashEntries): string {
  const others = segments(hash).filter((segment) => !keyAndValue(segment)[0].startsWith(PREFIX));
  if (!others.some((segment) => !segment.includes('='))) others.unshift(PLUGIN);
  const own = [...entries].map(([key, value]) => `${PREFIX}${key}=${encode(value)}`);
  return `#${[...others, ...own].join('&')}`;
}

export function applyChanges(entries: HashEntries, changes: HashChanges): HashEntries {
  const changed = new Map(entries);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) changed.delete(key);
    else changed.set(key, value);
  }
  return changed;
}

function segments(hash: string): string[] {
  return hash.replace(/^#/, '').split('&').filter(Boolean);
}

function keyAndValue(segment: string): [string, string] {
  const at = segment.indexOf('=');
  return at < 0
    ? [decode(segment), '']
    : [decode(segment.slice(0, at)), decode(segment.slice(at + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Slashes and colons are legal in a hash and make a copied link readable. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%2F/g, '/').replace(/%3A/g, ':');
}
