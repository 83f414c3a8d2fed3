import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodeEditor } from './code-editor';

describe('CodeEditor', () => {
  let editor: CodeEditor;
  let page: HTMLElement;
  const askForLine = vi.fn();

  beforeEach(() => {
    askForLine.mockClear();
    page = document.createElement('div');
    document.body.append(page);
    editor = new CodeEditor(page, { askForLine, scrolled: () => undefined });
    editor.show(['import tensorflow as tf', '', 'y = tf.math.log(x)'], 'Source of train.py');
  });

  afterEach(() => {
    editor.destroy();
    page.remove();
  });

  const marked = () => [...page.querySelectorAll('.cm-line[aria-current=true]')];
  const counts = () =>
    [...page.querySelectorAll<HTMLElement>('.tbd-count')]
      .filter(
        (count) => count.closest<HTMLElement>('.cm-gutterElement')?.style.visibility !== 'hidden',
      )
      .map((count) => count.textContent);

  it('shows a text that can be focused and read, not written', () => {
    const text = page.querySelector('.cm-content');
    expect(text?.textContent).toContain('tf.math.log');
    expect(text?.getAttribute('aria-label')).toBe('Source of train.py');
    expect(text?.getAttribute('tabindex')).toBe('0');
    expect(text?.getAttribute('contenteditable')).toBe('false');
  });

  it('marks the focused line, and none beyond the end', () => {
    editor.markLine(3);
    expect(marked().map((line) => line.textContent)).toEqual(['y = tf.math.log(x)']);
    editor.markLine(99);
    editor.centreLine(99);
    expect(marked()).toEqual([]);
    editor.markLine(1);
    editor.markLine(null);
    expect(marked()).toEqual([]);
  });

  it('tells what lines made, of the new text only', () => {
    editor.annotate([
      { lineno: 1, num_ops: 4, num_bad: 0 },
      { lineno: 3, num_ops: 3, num_bad: 2 },
      { lineno: 80, num_ops: 1, num_bad: 1 },
    ]);
    expect(counts()).toEqual(['4', '2 of 3 ●']);
    editor.show(['another file'], 'Source of other.py');
    expect(counts()).toEqual([]);
  });

  it('asks what a line made when its count is pressed', () => {
    editor.annotate([{ lineno: 3, num_ops: 3, num_bad: 2 }]);
    const count = [...page.querySelectorAll<HTMLElement>('.tbd-count')].at(-1);
    count?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(askForLine).toHaveBeenCalledOnce();
  });

  it('shows a text without lines', () => {
    editor.show([], 'Source of empty.py');
    editor.markLine(1);
    expect(marked()).toHaveLength(1);
  });
});
