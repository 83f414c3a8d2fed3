// Numbers as people read them.

const whole = new Intl.NumberFormat('en-GB');

/** 1234567 -> "1,234,567" */
export function countText(count: number): string {
  return whole.format(count);
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** For little room: 99999 -> "99,999"; 2359296 -> "2.36M" */
export function shortCountText(count: number): string {
  return count < 100_000 ? countText(count) : short.format(count);
}

/** (1, "problem") -> "1 problem"; (2, "problem") -> "2 problems" */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}

/** 1536000 -> "1.5 MB" */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const scaled = bytes / 1000 ** power;
  return `${power && scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`;
}

const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** "1st", "22nd", "1,000th". */
export function ordinalText(number: number): string {
  return `${countText(number)}${SUFFIXES[ORDINAL.select(number)] ?? 'th'}`;
}
