import { describe, expect, it } from 'vitest';
import type { Problem } from '../state/run-problems';
import { fileNameOf, groupProblems } from './problem-groups';

const problem = (kind: Problem['kind'], severity: Problem['severity'], file: string | null) =>
  ({ kind, severity, file }) as Problem;

describe('problems by severity and kind', () => {
  it('stand gravest first, those of a kind together', () => {
    const groups = groupProblems([
      problem('cut_record', 'loss', 'a'),
      problem('bad_payload', 'loss', 'b'),
      problem('cut_record', 'loss', 'c'),
      problem('no_counts', 'note', null),
      problem('executions_dropped', 'limit', 'd'),
    ]);
    const shown = groups.map(({ severity, count, kinds }) => [
      severity,
      count,
      kinds.map(({ kind, first, problems }) => [kind, first.file, problems.length]),
    ]);
    expect(shown).toEqual([
      [
        'loss',
        3,
        [
          ['cut_record', 'a', 2],
          ['bad_payload', 'b', 1],
        ],
      ],
      ['limit', 1, [['executions_dropped', 'd', 1]]],
      ['note', 1, [['no_counts', null, 1]]],
    ]);
  });

  it('are none where there are none', () => {
    expect(groupProblems([])).toEqual([]);
  });
});

describe('the name of a file', () => {
  it.each([
    ['/logs/mlp/tfdbg_events.1.vm.graphs', 'tfdbg_events.1.vm.graphs'],
    ['gs://bucket/mlp/tfdbg_events.1.vm.graphs', 'tfdbg_events.1.vm.graphs'],
    ['C:\\logs\\tfdbg_events.1.vm.graphs', 'tfdbg_events.1.vm.graphs'],
    ['tfdbg_events.1.vm.graphs', 'tfdbg_events.1.vm.graphs'],
  ])('%s', (path, name) => {
    expect(fileNameOf(path)).toBe(name);
  });
});
