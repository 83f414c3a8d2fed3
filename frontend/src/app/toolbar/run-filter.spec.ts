import { describe, expect, it } from 'vitest';
import { runsNamed } from './run-filter';

const runs = ['mlp/lr 0.1', 'mlp/lr 0.01', 'CNN/lr 0.1'].map((name) => ({ name }));

function names(words: string): string[] {
  return runsNamed(runs, words).map((run) => run.name);
}

describe('runsNamed', () => {
  it('leaves all without words', () => {
    expect(runsNamed(runs, '  ')).toBe(runs);
  });

  it('wants every word, anywhere in the name, in any case', () => {
    expect(names('0.1 cnn')).toEqual(['CNN/lr 0.1']);
    expect(names('LR 0.0')).toEqual(['mlp/lr 0.01']);
    expect(names('gru')).toEqual([]);
  });
});
