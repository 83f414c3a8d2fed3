import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import { barParts, HealthBar } from './health-bar';
import {
  badText,
  extentText,
  healthWords,
  isBad,
  shapeText,
  shortBadText,
  TensorChips,
  type TensorHealth,
  ValueCounts,
} from './tensor-health';

const NOTHING: TensorHealth = {
  dtype: null,
  rank: null,
  shape: null,
  size: null,
  num_neg_inf: null,
  num_pos_inf: null,
  num_nan: null,
  num_negative: null,
  num_zero: null,
  num_positive: null,
  has_inf_nan: null,
};
const CURT_BAD = { ...NOTHING, has_inf_nan: true };
const CURT_SOUND = { ...NOTHING, has_inf_nan: false };
const CONCISE = {
  ...NOTHING,
  size: 240,
  num_nan: 0,
  num_neg_inf: 24,
  num_pos_inf: 0,
  has_inf_nan: true,
};
const FULL = {
  ...NOTHING,
  dtype: 'float32',
  rank: 2,
  size: 12000,
  num_nan: 1234,
  num_neg_inf: 0,
  num_pos_inf: 5,
  num_negative: 0,
  num_zero: 10742,
  num_positive: 19,
  has_inf_nan: true,
};
const SHAPE = { ...NOTHING, dtype: 'int32', rank: 2, shape: [24, 10], size: 240 };

describe('texts of a tensor', () => {
  it('name what is bad, NaN first', () => {
    expect(badText(CONCISE)).toBe('−∞ ×24');
    expect(badText(FULL)).toBe('NaN ×1,234, +∞ ×5');
    expect(badText(CURT_BAD)).toBe('NaN/∞');
  });

  it('fit little room', () => {
    expect(shortBadText(CONCISE)).toBe('−∞ ×24');
    expect(shortBadText(FULL)).toBe('NaN ×1,234, +∞');
    expect(shortBadText({ num_nan: 4, num_neg_inf: 2, num_pos_inf: 1 })).toBe('NaN ×4, ±∞');
    expect(shortBadText(CURT_BAD)).toBe('NaN/∞');
  });

  it('tell bad from good from unknown', () => {
    expect([FULL, CURT_BAD, CURT_SOUND, SHAPE].map(isBad)).toEqual([true, true, false, null]);
  });

  it('show a shape, dimensions that were not recorded as "?"', () => {
    expect(shapeText(SHAPE)).toBe('[24, 10]');
    expect(shapeText({ ...SHAPE, shape: [null, 3, 4] })).toBe('[?, 3, 4]');
    expect(extentText(FULL)).toBe('12,000 values');
    expect(extentText({ ...FULL, size: 1 })).toBe('1 value');
    expect(extentText({ ...FULL, rank: 0, size: 1 })).toBe('');
    expect(extentText(NOTHING)).toBe('');
  });

  it('say all in words', () => {
    expect(healthWords(FULL)).toBe(
      'float32, 2D, 12,000 values, 1,234 NaN, 5 plus infinity, 10,742 zero, 19 positive',
    );
    expect(healthWords(CURT_BAD)).toBe('NaN or infinity');
    expect(healthWords(CURT_SOUND)).toBe('no NaN, no infinity');
    expect(healthWords(NOTHING)).toBe('');
  });
});

describe('a bar', () => {
  it('shows kinds by share, the bad ones first', () => {
    expect(barParts(FULL)).toEqual([
      { kind: 'bad', count: 1239 },
      { kind: 'zero', count: 10742 },
      { kind: 'positive', count: 19 },
    ]);
  });

  it('shows numbers of unknown sign as such', () => {
    expect(barParts(CONCISE)).toEqual([
      { kind: 'bad', count: 24 },
      { kind: 'finite', count: 216 },
    ]);
  });

  it.each([NOTHING, CURT_BAD, CURT_SOUND, SHAPE])('is empty where nothing is counted', (health) => {
    expect(barParts(health)).toEqual([]);
    const fixture = TestBed.createComponent(HealthBar);
    fixture.componentRef.setInput('health', health);
    fixture.detectChanges();
    expect((fixture.nativeElement as HTMLElement).querySelector('i')).toBeNull();
  });
});

describe('chips', () => {
  function texts(health: TensorHealth): string[] {
    const fixture = TestBed.createComponent(TensorChips);
    fixture.componentRef.setInput('health', health);
    fixture.detectChanges();
    const chips = (fixture.nativeElement as HTMLElement).querySelectorAll('.tag');
    return [...chips].map((chip) => (chip.classList.contains('bad') ? '!' : '') + chip.textContent);
  }

  it('show what the mode recorded', () => {
    expect(texts(FULL)).toEqual(['float32', '2D', '12,000 values', '!NaN ×1,234', '!+∞ ×5']);
    expect(texts(SHAPE)).toEqual(['int32', '2D', '[24, 10]']);
    expect(texts(CURT_BAD)).toEqual(['!NaN/∞']);
    expect(texts(CURT_SOUND)).toEqual(['no NaN, no ∞']);
    expect(texts(NOTHING)).toEqual([]);
  });
});

describe('counts in a line', () => {
  function text(health: TensorHealth): string {
    const fixture = TestBed.createComponent(ValueCounts);
    fixture.componentRef.setInput('health', health);
    fixture.detectChanges();
    return [...(fixture.nativeElement as HTMLElement).children]
      .map((span) => span.textContent)
      .join(' ');
  }

  it('show the bad ones first, each as a count and not as a value', () => {
    expect(text(FULL)).toBe('NaN ×1,234 +∞ ×5 0 ×10,742 + ×19');
    expect(text(CURT_BAD)).toBe('NaN/∞');
    expect(text(SHAPE)).toBe('');
  });
});
