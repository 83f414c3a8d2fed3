import { describe, expect, it } from 'vitest';
import { runTitle } from './run-title';

describe('a run’s title', () => {
  it('is its name', () => {
    expect(runTitle('mlp/lr 0.1', '/logs')).toBe('mlp/lr 0.1');
    expect(runTitle('.hidden', '/logs')).toBe('.hidden');
  });

  it.each(['/logs/mlp', '/logs/mlp/', 'gs://bucket/mlp', 'C:\\logs\\mlp', 'mlp'])(
    'is the folder’s own name, not a dot, where the logdir %s is the run',
    (logdir) => {
      expect(runTitle('.', logdir)).toBe('mlp');
      expect(runTitle('.#worker', logdir)).toBe('mlp#worker');
    },
  );

  it.each(['', '.', '..', '/'])('is its name where the logdir “%s” has none', (logdir) => {
    expect(runTitle('.', logdir)).toBe('.');
  });
});
