import { describe, expect, it } from 'vitest';
import css from './tokens.css' with { loader: 'text' };

const SURFACES = ['bg', 'raised', 'chip', 'accent-soft', 'bad-soft', 'fn-soft', 'input'];
const TEXTS = ['text', 'dim', 'bad', 'fn', 'ok', 'warn', 'key', 'str', 'num', 'com'];
const FILLED = [
  ['on-bad', 'bad'],
  ['on-accent', 'accent'],
] as const;

const [light = '', dark = ''] = css.split(':root.dark');

function colour(theme: string, name: string): string {
  const found = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(theme)?.[1];
  if (!found) throw new Error(`No colour --${name}`);
  return found;
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** As WCAG 2 defines it. */
function contrast(a: string, b: string): number {
  const [less = 0, more = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (more + 0.05) / (less + 0.05);
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_name, theme) => {
  it.each(TEXTS)('shows --%s readably on every surface', (text) => {
    for (const surface of SURFACES) {
      const ratio = contrast(colour(theme, text), colour(theme, surface));
      expect(ratio, `--${text} on --${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(FILLED)('shows --%s readably on --%s', (text, surface) => {
    expect(contrast(colour(theme, text), colour(theme, surface))).toBeGreaterThanOrEqual(4.5);
  });
});
