import { describe, expect, it } from 'vitest';
import { deadRelu, patternsOf, retraced } from './pattern-samples';
import {
  groupsOf,
  guideHref,
  patternLine,
  patternName,
  patternTitle,
  usualText,
} from './pattern-words';

describe('patterns in words', () => {
  it('puts alerts below their kinds, of which some have none', () => {
    const groups = groupsOf(patternsOf(retraced([1, 2]), deadRelu(), deadRelu()));
    expect(groups.map(({ kind, alerts }) => [kind.kind, alerts.length])).toEqual([
      ['retracing', 1],
      ['dead_activation', 2],
      ['zero_gradient', 0],
    ]);
  });

  it('keeps apart what healthy programs show too, and says whether there is more', () => {
    const usual = deadRelu({ is_usual: true });
    const [, both] = groupsOf(patternsOf(deadRelu(), usual, usual));
    expect([both?.alerts.length, both?.usual.length]).toEqual([1, 2]);
    expect(both && usualText(both.kind)).toBe('2 more that healthy programs show too');
    const [, alone] = groupsOf(patternsOf(usual));
    expect(alone && usualText(alone.kind)).toBe('None but 1 that healthy programs show too');
  });

  it('names a tensor by the end of its name, and a function as people call it', () => {
    expect(patternName(deadRelu())).toBe('Relu:0');
    expect(patternName(retraced([1]))).toBe('f');
  });

  it('links to the section about a kind', () => {
    const [kind] = patternsOf(deadRelu()).kinds;
    expect(kind && guideHref(kind)).toBe('docs/alert-kinds.md#:~:text=(%60retracing%60)');
  });

  it('tells the line, if it is known', () => {
    expect(patternLine(deadRelu())).toBe('train.py:13');
    expect(patternLine(deadRelu({ source: null }))).toBe('');
  });

  it('tells all of it in a tooltip', () => {
    expect(patternTitle(deadRelu())).toBe(
      'model/Relu:0 (Relu)\nfunction step\n/home/dev/train.py:13',
    );
  });
});
