import { describe, expect, it } from 'vitest';
import {
  type FileSummary,
  fileInView,
  fileToBeginWith,
  findFile,
  groupFiles,
  isOnSeveralHosts,
  splitPath,
} from './recorded-files';

/** Files written as text: "train.py", "worker-1:train.py bad=3", "/x/site-packages/tf/ops.py of TensorFlow". */
function files(...texts: string[]): FileSummary[] {
  return texts.map((text, index) => {
    const [, host, path = '', library, bad] =
      /^(?:([\w-]+):)?(\S+?)(?: of (\w+))?(?: bad=(\d+))?$/.exec(text) ?? [];
    return {
      index,
      host_name: host ?? 'vm',
      file_path: path,
      num_lines: 10,
      library: library ?? null,
      num_ops: Number(bad ?? 0),
      num_bad: Number(bad ?? 0),
    };
  });
}

const position = (filePath: string, hostName: string | null = 'vm') => ({
  filePath,
  hostName,
  lineno: 3,
});

describe('the file in view', () => {
  const all = files('tf.py of TensorFlow', 'a.py', 'b.py bad=2', 'worker-1:a.py');

  it('is the focused one', () => {
    expect(fileInView(all, position('a.py'), null)).toEqual({ kind: 'recorded', file: all[1] });
    expect(findFile(all, position('a.py', 'worker-1'))).toBe(all[3]);
    expect(findFile(all, position('a.py', null))).toBe(all[1]);
  });

  it('is none where the focused one is not recorded', () => {
    const place = position('lost.py');
    expect(fileInView(all, place, null)).toEqual({ kind: 'unrecorded', place });
    expect(findFile(all, position('b.py', 'worker-1'))).toBeNull();
  });

  it('begins with the user’s file that has most bad events', () => {
    expect(fileToBeginWith(all)).toBe(all[2]);
    expect(fileToBeginWith(files('tf.py of TensorFlow', 'a.py', 'b.py'))?.index).toBe(1);
    expect(fileToBeginWith(files('tf.py of TensorFlow'))?.index).toBe(0);
    expect(fileToBeginWith([])).toBeNull();
  });

  it('stays while nothing is focused, with newer counts', () => {
    const before = fileInView(all, position('a.py'), null);
    const grown = all.map((file) => ({ ...file, num_bad: file.num_bad + 1 }));
    expect(fileInView(grown, null, before)).toEqual({ kind: 'recorded', file: grown[1] });
  });
});

describe('the list of files', () => {
  const all = files(
    '/p/site-packages/keras/src/layer.py of Keras',
    '/p/site-packages/tensorflow/ops.py of TensorFlow',
    '/home/me/data.py',
    '/home/me/train.py bad=5',
  );
  const read = (words: string) =>
    groupFiles(all, words).map(({ library, files }) => [
      library,
      ...files.map((file) => splitPath(file.file_path).name),
    ]);

  it('is grouped by library, the user’s own first, the worst on top', () => {
    expect(read('')).toEqual([
      [null, 'train.py', 'data.py'],
      ['Keras', 'layer.py'],
      ['TensorFlow', 'ops.py'],
    ]);
  });

  it('keeps what holds all words', () => {
    expect(read('OPS tensor')).toEqual([['TensorFlow', 'ops.py']]);
    expect(read(' me data ')).toEqual([[null, 'data.py']]);
    expect(read('nowhere')).toEqual([]);
  });

  it('tells hosts apart only where it must', () => {
    const several = files('a.py', 'worker-1:a.py', 'b.py');
    expect(several.map((file) => isOnSeveralHosts(several, file))).toEqual([true, true, false]);
  });

  it.each([
    ['/home/me/train.py', 'train.py', '/home/me'],
    ['/p/site-packages/tensorflow/python/ops.py', 'ops.py', 'tensorflow/python'],
    ['C:\\me\\train.py', 'train.py', 'C:\\me'],
    ['train.py', 'train.py', ''],
  ])('splits %s', (path, name, folder) => expect(splitPath(path)).toEqual({ name, folder }));
});
