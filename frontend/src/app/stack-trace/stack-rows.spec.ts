import { describe, expect, it } from 'vitest';
import { stack } from './stack-builder';
import { fileNameOf, foldText, stackRows, type StackRow } from './stack-rows';

const NOTHING = new Map<string, boolean>();

/** Rows as a person reads them: "train.py:24 *", "+ 2 frames of TensorFlow", "(3 missing)". */
function read(rows: readonly StackRow[]): string[] {
  return rows.map((row) => {
    switch (row.kind) {
      case 'frame':
        return `${row.folded ? '  ' : ''}${row.fileName}:${row.lineno}${row.focused ? ' *' : ''}`;
      case 'fold':
        return `${row.expanded ? '-' : '+'} ${row.text}${row.holdsFocus ? ' *' : ''}`;
      case 'missing':
        return `(${row.count} missing)`;
    }
  });
}

const line = (filePath: string, lineno: number) => ({ hostName: 'vm', filePath, lineno });

describe('the rows of a stack', () => {
  const { frames } = stack('train.py:30', 'tf/a.py:1', 'keras/b.py:2', 'train.py:24', 'tf/c.py:3');

  it('fold library frames and show user frames', () => {
    expect(read(stackRows(frames, line('train.py', 24), NOTHING))).toEqual([
      'train.py:30',
      '+ 2 frames of TensorFlow and Keras',
      'train.py:24 *',
      '+ 1 frame of TensorFlow',
    ]);
  });

  it('mark the other frames of the focused file', () => {
    const rows = stackRows(frames, line('train.py', 24), NOTHING);
    expect(rows.map((row) => row.kind === 'frame' && row.ofFocusedFile)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('open the fold that holds the focused frame, unless it is closed by hand', () => {
    const [, fold] = stackRows(frames, null, NOTHING);
    expect(read(stackRows(frames, line('keras/b.py', 2), NOTHING)).slice(1, 4)).toEqual([
      '- 2 frames of TensorFlow and Keras *',
      '  a.py:1',
      '  b.py:2 *',
    ]);
    const closed = new Map([[fold?.key ?? '', false]]);
    expect(read(stackRows(frames, line('keras/b.py', 2), closed))[1]).toBe(
      '+ 2 frames of TensorFlow and Keras *',
    );
    const opened = new Map([[fold?.key ?? '', true]]);
    expect(read(stackRows(frames, null, opened))).toHaveLength(6);
  });

  it('count what is missing and show frames whose file is unknown', () => {
    const torn = stack('?:13', null, null, 'tf/a.py:1', null).frames;
    expect(read(stackRows(torn, null, NOTHING))).toEqual([
      'file not recorded:13',
      '(2 missing)',
      '+ 1 frame of TensorFlow',
      '(1 missing)',
    ]);
  });

  it('say why a file is unknown', () => {
    const [frame] = stack('?:13').frames;
    const why = '(file unknown: .source_files is damaged)';
    const damaged = { ...frame, source: { ...frame?.source, file_path: why } } as typeof frame;
    expect(read(stackRows(damaged ? [damaged] : [], null, NOTHING))).toEqual([
      'file unknown: .source_files is damaged:13',
    ]);
  });

  it('have a key each, also where one frame occurs twice', () => {
    const { frames: once } = stack('train.py:30');
    const rows = stackRows([...once, ...once], null, NOTHING);
    expect(new Set(rows.map((row) => row.key)).size).toBe(2);
  });
});

describe('the text of a fold', () => {
  it.each([
    [['TensorFlow'], '1 frame of TensorFlow'],
    [['Keras', 'TensorFlow', 'TensorFlow'], '3 frames of TensorFlow and Keras'],
    [['a', 'b', 'b', 'c'], '4 frames of b, a and c'],
  ])('%j -> %s', (libraries, text) => expect(foldText(libraries)).toBe(text));
});

describe('the name of a file', () => {
  it.each([
    ['/home/me/train.py', 'train.py'],
    ['C:\\me\\train.py', 'train.py'],
    ['/home/me/<ipython-input-3-0123>', '<ipython-input-3-0123>'],
    ['train.py', 'train.py'],
  ])('%s -> %s', (path, name) => expect(fileNameOf(path)).toBe(name));
});
