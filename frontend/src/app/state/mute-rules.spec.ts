import { describe, expect, it } from 'vitest';
import { joinRules, MOST_RULES, ruleOfText, splitRules, wordsOf } from './mute-rules';

describe('rules of what is muted', () => {
  it.each([
    ['log', 'text:log'],
    [' model/Log ', 'text:model/Log'],
    ['/^Log_\\d+$/', 'regex:^Log_\\d+$'],
    ['a/b/', 'text:a/b/'],
    ['//', 'text://'],
    ['', null],
    ['  ', null],
    ['x'.repeat(3000), null],
  ])('are made of what was typed: %s', (typed, rule) => {
    expect(ruleOfText(typed)).toBe(rule);
  });

  it('come back from the text that they are joined to', () => {
    const rules = ['op_type:Log', 'regex:a|b', 'line:/a b/c.py:3', 'function:f'];
    expect(splitRules(joinRules(rules))).toEqual(rules);
  });

  it('are left out where they are none, are there twice, or are too many', () => {
    expect(splitRules('')).toEqual([]);
    expect(splitRules('op_type:\nname:x\nline:a.py\nline:a.py:0\nop:a\nop:a')).toEqual(['op:a']);
    const many = Array.from({ length: 40 }, (_, index) => `op:${index}`);
    expect(splitRules(joinRules(many))).toHaveLength(MOST_RULES);
  });

  it.each([
    ['op_type:Log', 'op type', 'Log', 'op type Log'],
    ['op:a:b', 'op', 'a:b', 'op a:b'],
    ['text:log', 'op name has', 'log', 'op name has log'],
    ['regex:^a$', 'op name matches', '/^a$/', 'op name matches /^a$/'],
    ['line:/home/dev/mlp.py:24', 'line', 'mlp.py:24', 'line /home/dev/mlp.py:24'],
  ])('have words: %s', (rule, kind, text, title) => {
    expect(wordsOf(rule)).toEqual({ kind, text, title });
  });
});
