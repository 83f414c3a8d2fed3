// What is known of a tensor's values, as texts and chips. Whatever the debug mode did not record is left out, so each text
// may be empty. Stateless: who shows a tensor owns its health.
import { Component, computed, input } from '@angular/core';
import type { Schema } from '../api/client';
import { countOf, countText } from './number-text';

export type TensorHealth = Schema<'TensorHealth'>;

/** The counts of values that are no numbers; a tensor and an alert have them. */
export type BadCounts = Pick<TensorHealth, 'num_nan' | 'num_neg_inf' | 'num_pos_inf'>;

export type ValueKind = 'nan' | 'neg-inf' | 'pos-inf' | 'negative' | 'zero' | 'positive';

/** The values of one kind in a tensor; there is at least one. */
export interface ValueCount {
  readonly kind: ValueKind;
  /** "NaN", "−∞", "+∞", "−", "0" or "+" */
  readonly sign: string;
  readonly count: number;
  readonly bad: boolean;
}

const BAD_KINDS = [
  { kind: 'nan', sign: 'NaN', field: 'num_nan', words: 'NaN' },
  { kind: 'neg-inf', sign: '−∞', field: 'num_neg_inf', words: 'minus infinity' },
  { kind: 'pos-inf', sign: '+∞', field: 'num_pos_inf', words: 'plus infinity' },
] as const;
const FINITE_KINDS = [
  { kind: 'negative', sign: '−', field: 'num_negative', words: 'negative' },
  { kind: 'zero', sign: '0', field: 'num_zero', words: 'zero' },
  { kind: 'positive', sign: '+', field: 'num_positive', words: 'positive' },
] as const;
const WORDS = new Map<ValueKind, string>(
  [...BAD_KINDS, ...FINITE_KINDS].map(({ kind, words }) => [kind, words]),
);

/** Values that are no numbers: NaN first, only kinds that occur. Empty too where the mode does not count them. */
export function badValues(counts: BadCounts): ValueCount[] {
  return BAD_KINDS.flatMap(({ kind, sign, field }) => {
    const count = counts[field] ?? 0;
    return count ? [{ kind, sign, count, bad: true }] : [];
  });
}

/** All counted values, the bad ones first, only kinds that occur. */
export function countedValues(health: TensorHealth): ValueCount[] {
  const finite = FINITE_KINDS.flatMap(({ kind, sign, field }) => {
    const count = health[field] ?? 0;
    return count ? [{ kind, sign, count, bad: false }] : [];
  });
  return [...badValues(health), ...finite];
}

/** "NaN ×19" */
export function valueCountText({ sign, count }: ValueCount): string {
  return `${sign} ×${countText(count)}`;
}

/** "NaN ×19, +∞ ×5"; "NaN/∞" where the mode tells only that there are some. For a tensor known to be bad. */
export function badText(counts: BadCounts): string {
  return badValues(counts).map(valueCountText).join(', ') || 'NaN/∞';
}

/** The same for little room: the first kind is counted, the others are named ("NaN ×19, +∞", "NaN ×4, ±∞"). */
export function shortBadText(counts: BadCounts): string {
  const [first, ...others] = badValues(counts);
  if (!first) return 'NaN/∞';
  const named = others.length === 2 ? '±∞' : others[0]?.sign;
  return valueCountText(first) + (named ? `, ${named}` : '');
}

/** Whether a tensor holds NaN or infinity; null where the mode does not tell. */
export function isBad(health: TensorHealth): boolean | null {
  return badValues(health).length > 0 || health.has_inf_nan;
}

/** 2 -> "2D" */
export function rankText(health: TensorHealth): string {
  return health.rank === null ? '' : `${health.rank}D`;
}

/** "[24, 10]"; "?" for a dimension that was not recorded. Empty for a scalar, of which the rank says all. */
export function shapeText(health: TensorHealth): string {
  if (!health.shape?.length) return '';
  return `[${health.shape.map((length) => length ?? '?').join(', ')}]`;
}

/** "[24, 10]" where the shape is recorded, else "240 values". Empty for a scalar. */
export function extentText(health: TensorHealth): string {
  if (health.rank === 0) return '';
  return shapeText(health) || (health.size === null ? '' : countOf(health.size, 'value'));
}

/** All that is known, in words for a label: "float32, 2D, 240 values, 19 NaN, 5 plus infinity, 197 zero". */
export function healthWords(health: TensorHealth): string {
  const counted = countedValues(health).map(
    ({ kind, count }) => `${countText(count)} ${WORDS.get(kind) ?? ''}`,
  );
  return [health.dtype, rankText(health), extentText(health), ...counted, uncountedWords(health)]
    .filter(Boolean)
    .join(', ');
}

/** What a mode that only tells good from bad has told. */
function uncountedWords(health: TensorHealth): string {
  if (health.num_nan !== null || health.has_inf_nan === null) return '';
  return health.has_inf_nan ? 'NaN or infinity' : 'no NaN, no infinity';
}

/** dtype, rank, shape or size, then what is bad: `float32` `2D` `240 values` `NaN ×19`. */
@Component({
  selector: 'tbd-tensor-chips',
  template: `
    @for (text of plain(); track $index) {
      <span class="tag">{{ text }}</span>
    }
    @for (text of bad(); track text) {
      <span class="tag bad">{{ text }}</span>
    }
    @if (sound()) {
      <span class="tag dim">no NaN, no ∞</span>
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      flex-wrap: wrap;
      gap: 3px 4px;
      vertical-align: middle;
    }
  `,
})
export class TensorChips {
  readonly health = input.required<TensorHealth>();

  protected readonly plain = computed(() => {
    const health = this.health();
    return [health.dtype, rankText(health), extentText(health)].filter(Boolean);
  });
  protected readonly bad = computed(() => {
    const health = this.health();
    if (!isBad(health)) return [];
    const values = badValues(health).map(valueCountText);
    return values.length ? values : ['NaN/∞'];
  });
  /** A mode that counts nothing has told that all is well. */
  protected readonly sound = computed(
    () => this.health().num_nan === null && this.health().has_inf_nan === false,
  );
}

/** All counts in a line, the bad ones first and bold: "NaN ×19 +∞ ×5 0 ×197 + ×19". */
@Component({
  selector: 'tbd-value-counts',
  template: `
    @for (value of values(); track value.kind) {
      <span [class.bad]="value.bad">{{ text(value) }}</span>
    } @empty {
      @if (health().has_inf_nan) {
        <span class="bad">NaN/∞</span>
      } @else if (health().has_inf_nan === false) {
        <span>no NaN, no ∞</span>
      }
    }
  `,
  host: { '[title]': 'words()' },
  styles: `
    :host {
      display: block;
      overflow: hidden;
      color: var(--dim);
      font: 11px/14px var(--mono);
      text-overflow: ellipsis;
      white-space: nowrap;
      /* A sign is nearer to its count than to the next sign. */
      word-spacing: -3px;
    }
    span + span {
      margin-left: 7px;
    }
    .bad {
      color: var(--bad);
      font-weight: 700;
    }
  `,
})
export class ValueCounts {
  readonly health = input.required<TensorHealth>();

  protected readonly text = valueCountText;
  protected readonly values = computed(() => countedValues(this.health()));
  protected readonly words = computed(() => healthWords(this.health()));
}
