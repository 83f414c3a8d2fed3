import { describe, expect, it } from 'vitest';
import { runsNamed } from './run-filter';

const runs = ['mlp/lr 0.1', 'mlp/lr 0.01', 'CNN/lr 0.1'].map((title) => ({ title }));

function titles(words: string): string[] {
  return runsNamed(runs, words).map((run) => run.title);
}

describe('runsNamed', () => {
  it('leaves all without words', () => {
    expect(runsNamed(runs, '  ')).toBe(runs);
  });

  it('wants every word, anywhere in the title, in any case', () => {
    expect(titles('0.1 cnn')).toEqual(['CNN/lr 0.1']);
    expect(titles('LR 0.0')).toEqual(['mlp/lr 0.01']);
    expect(titles('gru')).toEqual([]);
  });
});
