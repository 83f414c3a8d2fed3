import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { FoundCauses } from '../state/found-causes';
import { Runs } from '../state/runs';
import { Selection, SelectionStore } from '../state/selection';
import type { SourcePosition } from '../state/view';
import { ProblemPanel } from '../ui/problem-panel';
import { CodeEditor } from './code-editor';
import { SourceCode } from './source-code';

const TEXTS: Record<string, string[]> = {
  '/home/me/data.py': ['x = 1'],
  '/home/me/train.py': ['import tensorflow as tf', 'y = tf.math.log(x)', 'print(y)'],
  '/home/me/<string>': [],
  '/p/site-packages/tensorflow/ops.py': ['def log(x):', '  return _log(x)'],
};
const PATHS = Object.keys(TEXTS);

/** A run of four files; line 2 of train.py and line 7 of <string> made a bad op. */
class RecordedRun {
  readonly asked: string[] = [];
  failing = false;
  paths = PATHS;
  kinds: string[] = [];

  readonly get = (path: string, _: unknown, query: Record<string, number>) => {
    const index = query['index'] ?? 0;
    this.asked.push(`${path} ${query['index'] ?? ''}`.trim());
    if (this.failing) return Promise.reject(new Error('disk on fire'));
    return Promise.resolve(this.#answer(path, index, query['lineno'] ?? 0));
  };

  #answer(path: string, index: number, lineno: number) {
    const filePath = this.paths[index] ?? '';
    const bad = { '/home/me/train.py': 2, '/home/me/<string>': 7 }[filePath];
    switch (path) {
      case '/source_files/summary':
        return {
          num_files: this.paths.length,
          files: this.paths.map((path, index) => ({
            index,
            host_name: 'vm',
            file_path: path,
            num_lines: TEXTS[path]?.length,
            library: path.includes('site-packages') ? 'TensorFlow' : null,
            num_ops: path.includes('train') ? 4 : 0,
            num_bad: path.includes('train') ? 1 : 0,
          })),
        };
      case '/source_files/file':
        return { host_name: 'vm', file_path: filePath, lines: TEXTS[filePath] };
      case '/source_files/annotations':
        return { index, lines: bad ? [{ lineno: bad, num_ops: 3, num_bad: 1 }] : [] };
      case '/source_files/line': {
        const op = { op_type: 'Log', graph_id: 'g', graph_name: 'loss_fn', op_name: 'Log' };
        const trace = { execution_index: null, first_graph_execution_index: 71, num_alerts: 5 };
        return { index, lineno, num_events: 1, events: [{ ...op, ...trace }] };
      }
      default:
        throw new Error(path);
    }
  }
}

describe('Source Code', () => {
  const cause = signal<SourcePosition | null>(null);
  let run: RecordedRun;
  let selection: SelectionStore;
  let fixture: ComponentFixture<SourceCode>;
  let page: HTMLElement;

  const pass = async () => {
    for (let turn = 0; turn < 3; turn++) {
      await vi.advanceTimersByTimeAsync(20);
      fixture.detectChanges();
    }
  };
  const shown = () => page.textContent?.replace(/\s+/g, ' ') ?? '';
  const code = () => page.querySelector('.cm-content')?.textContent ?? null;
  const marked = () => page.querySelector('.cm-line[aria-current=true]')?.textContent ?? null;
  const press = async (selector: string) => {
    [...page.querySelectorAll<HTMLElement>(selector)].at(-1)?.click();
    await pass();
  };
  const focus = async (filePath: string, lineno: number) => {
    selection.focusSource({ hostName: 'vm', filePath, lineno });
    await pass();
  };

  async function open(entries: Record<string, string> = {}) {
    const address = signal<ReadonlyMap<string, string>>(new Map());
    const write = (changes: Record<string, string | null>) =>
      address.set(
        new Map(Object.entries(changes).filter((one) => one[1] !== null) as [string, string][]),
      );
    write({ run: 'mlp', ...entries });
    selection = new SelectionStore({ entries: address, push: write, replace: write });
    TestBed.configureTestingModule({
      providers: [
        { provide: ApiClient, useValue: { get: run.get } },
        { provide: Host, useValue: { visible: () => true, dark: () => false } },
        {
          provide: Runs,
          useValue: {
            selected: () => ({
              status: 'live',
              run_id: 'r',
              bytes_indexed: 1,
              problem_kinds: run.kinds,
            }),
            replacements: () => 0,
          },
        },
        { provide: Selection, useValue: selection },
        { provide: FoundCauses, useValue: { firstLine: cause } },
      ],
    });
    fixture = TestBed.createComponent(SourceCode);
    page = fixture.nativeElement as HTMLElement;
    document.body.append(page);
    await pass();
  }

  beforeEach(() => {
    vi.useFakeTimers();
    // The editor measures its text, which jsdom cannot.
    Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
    run = new RecordedRun();
    cause.set(null);
  });

  afterEach(() => {
    fixture.destroy();
    page.remove();
    vi.useRealTimers();
  });

  it('begins with the user’s file that went bad, with no line marked', async () => {
    await open();
    expect(page.querySelector('.tab')?.textContent).toContain('train.py');
    expect(shown()).toContain('1 NaN/∞');
    expect(code()).toContain('tf.math.log');
    expect(marked()).toBeNull();
    expect(shown()).toContain('1 of 3 ●');
  });

  describe('while nothing is selected', () => {
    const lineOf = (filePath: string, lineno: number) => ({ hostName: 'vm', filePath, lineno });
    /** The lines that were brought into view. */
    const centred: number[] = [];
    const find = async (line: SourcePosition) => {
      cause.set(line);
      await pass();
    };

    beforeEach(() => {
      centred.length = 0;
      vi.spyOn(CodeEditor.prototype, 'centreLine').mockImplementation((at) => centred.push(at));
    });
    afterEach(() => vi.restoreAllMocks());

    it('opens the file of the first root cause at its line, not the file that went bad most', async () => {
      cause.set(lineOf('/home/me/data.py', 1));
      await open();
      expect(code()).toContain('x = 1');
      expect(centred.at(-1)).toBe(1);
      expect(selection.focus()).toBeNull();
    });

    it('opens at the cause once one is found, and stays there when others are', async () => {
      await open();
      expect(centred.at(-1)).toBe(2);
      await find(lineOf('/home/me/train.py', 3));
      expect(centred.at(-1)).toBe(3);
      await find(lineOf('/home/me/data.py', 1));
      expect(code()).toContain('tf.math.log');
      expect(centred.at(-1)).toBe(3);
    });

    it.each(['wheel', 'pointerdown', 'keydown'])(
      'leaves what the user reads where it is (%s)',
      async (event) => {
        await open();
        page.dispatchEvent(new Event(event));
        await find(lineOf('/home/me/data.py', 1));
        expect(code()).toContain('tf.math.log');
        expect(centred.at(-1)).toBe(2);
      },
    );

    it('opens where it would without a cause, if the cause’s file is not recorded', async () => {
      cause.set(lineOf('/lost.py', 5));
      await open();
      expect(code()).toContain('tf.math.log');
      expect(centred.at(-1)).toBe(2);
    });

    it('obeys an address that names a line', async () => {
      cause.set(lineOf('/home/me/data.py', 1));
      await open({ file: '/home/me/train.py', line: '3' });
      expect(marked()).toBe('print(y)');
      expect(centred).not.toContain(1);
    });
  });

  it('follows the focus to a line, and asks for a file once', async () => {
    await open();
    await focus('/p/site-packages/tensorflow/ops.py', 2);
    expect(marked()).toBe('  return _log(x)');
    await focus('/home/me/train.py', 2);
    expect(marked()).toBe('y = tf.math.log(x)');
    expect(run.asked.filter((one) => one === '/source_files/file 1')).toHaveLength(1);
  });

  it('stays at its file while a selected event’s line is not known', async () => {
    await open();
    await focus('/home/me/data.py', 1);
    selection.select({ kind: 'op', graphId: 'g', opName: 'mul' });
    await pass();
    expect(code()).toContain('x = 1');
    expect(marked()).toBeNull();
  });

  it('says why a file has no text, and what its lines made all the same', async () => {
    await open();
    await focus('/home/me/<string>', 7);
    expect(shown()).toContain('Source not captured: it was run from a string');
    expect(page.querySelector('li [aria-current=true]')?.textContent).toContain('line 7');
  });

  it('says that a file is not recorded', async () => {
    await open();
    await focus('/lost.py', 1);
    expect(shown()).toContain('/lost.py of vm is not among the 4 recorded files (yet)');
  });

  it('says that there is no file at all', async () => {
    run.paths = [];
    await open();
    expect(shown()).toContain('No source file is recorded yet');
    expect(shown()).not.toContain('What to do');
  });

  it('leads to why there is no file, where that is known', async () => {
    run.paths = [];
    run.kinds = ['switched_dump_root'];
    await open();
    await press('.message button');
    expect(TestBed.inject(ProblemPanel).asked()?.kind).toBe('switched_dump_root');
  });

  it('lists what a line made, and selects it at that line', async () => {
    await open();
    await focus('/home/me/<string>', 1);
    await press('.uncaptured li button');
    expect(page.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe(
      'What line 7 made',
    );
    expect(shown()).toContain('Line 7 made 1 op, 1 bad.');
    await press('tbd-line-events [data-row]');
    expect(selection.event()).toEqual({ kind: 'trace', index: 71 });
    expect(selection.focus()).toMatchObject({ filePath: '/home/me/<string>', lineno: 7 });
    expect(page.querySelector('tbd-line-events')).toBeNull();
  });

  it('finds the place of a selected line that the address names by its file’s index', async () => {
    await open({ at: 'source:1:2' });
    expect(selection.focus()).toEqual({ hostName: 'vm', filePath: '/home/me/train.py', lineno: 2 });
    expect(marked()).toBe('y = tf.math.log(x)');
  });

  it('opens a chosen file at its first bad line, and sticks to none', async () => {
    await open({ file: '/home/me/data.py', line: '1', stick: '1' });
    await press('tbd-file-picker button');
    await press('tbd-file-picker section:first-of-type li:first-child button');
    expect(selection.focus()).toMatchObject({ filePath: '/home/me/train.py', lineno: 2 });
    expect(selection.stickToBottommost()).toBe(false);
  });

  it('offers to try again what failed', async () => {
    run.failing = true;
    await open();
    expect(shown()).toContain('disk on fire');
    run.failing = false;
    await press('.message button');
    expect(code()).toContain('tf.math.log');
  });
});
