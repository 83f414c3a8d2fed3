import { describe, expect, it } from 'vitest';
import { version } from '../alerts/pattern-samples';
import { formText, versionTable } from './version-rows';

const given = { name: 'x', dtype: null, rank: null, shape: null, size: null };

describe('the versions of a function', () => {
  it('are compared with the one before', () => {
    const { columns, rows } = versionTable([version(1), version(2), version(2)]);
    expect(columns).toEqual(['x']);
    expect(rows.map(({ cells }) => cells[0])).toEqual([
      { text: 'float32 [1]', differs: false },
      { text: 'float32 [2]', differs: true },
      { text: 'float32 [2]', differs: false },
    ]);
    expect(rows.map(({ difference }) => difference)).toEqual(['', 'x', 'nothing recorded']);
  });

  it('tell their calls and the line of the first', () => {
    const [row] = versionTable([version(3)]).rows;
    expect(row).toMatchObject({ number: 1, firstCall: 6, numCalls: '1', line: 'train.py:13' });
  });

  it('may take other arguments', () => {
    const more = version(1, { arguments: [...version(1).arguments, { ...given, name: 'y' }] });
    const { columns, rows } = versionTable([version(1), more]);
    expect(columns).toEqual(['x', 'y']);
    expect(rows.map(({ cells }) => cells[1]?.text)).toEqual(['—', 'not recorded']);
    expect(rows[1]?.difference).toBe('y');
  });

  it.each([
    [{ ...given, dtype: 'int32', rank: 0, shape: [], size: 1 }, 'int32 []'],
    [{ ...given, dtype: 'float32', rank: 2, size: 6 }, 'float32, rank 2, 6 elements'],
    [{ ...given, size: 1 }, '1 element'],
    [given, 'not recorded'],
  ])('say of an argument what the debug mode tells: %#', (argument, text) => {
    expect(formText(argument)).toBe(text);
  });
});
