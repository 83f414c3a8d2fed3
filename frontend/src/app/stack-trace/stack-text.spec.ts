import { describe, expect, it } from 'vitest';
import { executionIndex, fileIndex, traceIndex } from '../api/indices';
import { missingText, noteOf } from './stack-text';

const loss = { index: 35, op_type: '__forward_loss_fn_226', function_name: 'loss_fn' };
const log = { index: 71, op_name: 'Log', graph_name: 'loss_fn' };
const known = { execution: loss, trace: log, host: 'vm' };

describe('the note of the stack', () => {
  const execution = (index: number) =>
    ({ kind: 'execution', index: executionIndex(index) }) as const;
  const trace = (index: number) => ({ kind: 'trace', index: traceIndex(index) }) as const;

  it('names the execution, or the op that was created', () => {
    expect(noteOf(execution(35), known)).toBe('execution 35, loss_fn · vm');
    expect(noteOf(trace(71), known)).toBe('creation of Log in loss_fn · vm');
    expect(noteOf({ kind: 'op', graphId: 'g', opName: 'mul' }, known)).toBe('creation of mul · vm');
  });

  it('says nothing of a former event', () => {
    expect(noteOf(execution(36), { ...known, host: null })).toBe('execution 36');
    expect(noteOf(trace(72), { ...known, host: null })).toBe('');
    expect(noteOf(null, known)).toBe('');
    expect(noteOf({ kind: 'source', fileIndex: fileIndex(0), lineno: 3 }, known)).toBe('');
  });
});

describe('the text in place of a stack', () => {
  it('promises frames only while the program may write them', () => {
    expect(missingText(12, true)).toContain('by themselves');
    expect(missingText(1, false)).toContain('None of the 1 frame');
  });
});
