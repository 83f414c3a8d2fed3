// What the list of keys says, from the keys that are bound. Pure.
import type { KeyBinding } from '../ui/keyboard';

const SYMBOLS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
};

export interface KeyPart {
  /** Empty for the keys of the whole page. */
  readonly pane: string;
  readonly lines: readonly { readonly keys: readonly string[]; readonly effect: string }[];
}

/** The keys of the whole page first, then pane by pane; keys of one effect share a line, and Esc is the last. */
export function partsOf(latestFirst: readonly Omit<KeyBinding, 'run'>[]): KeyPart[] {
  const parts = new Map<string, Map<string, string[]>>([['', new Map()]]);
  const escapesLast = [...latestFirst]
    .reverse()
    .sort((a, b) => Number(a.key === 'Escape') - Number(b.key === 'Escape'));
  for (const { key, effect, pane = '' } of escapesLast) {
    const keysOf = parts.get(pane) ?? new Map<string, string[]>();
    parts.set(pane, keysOf);
    const keys = keysOf.get(effect) ?? [];
    const symbol = SYMBOLS[key] ?? key;
    if (!keys.includes(symbol)) keysOf.set(effect, [...keys, symbol]);
  }
  return [...parts].map(([pane, keysOf]) => ({
    pane,
    lines: [...keysOf].map(([effect, keys]) => ({ effect, keys })),
  }));
}
