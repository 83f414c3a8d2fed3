import { describe, expect, it } from 'vitest';
import { boxLabel, boxLetter, boxTitle, type ExecutionDigest } from './execution-words';

const OP: ExecutionDigest = {
  index: 30,
  wall_time: 0,
  op_type: 'Equal',
  output_tensor_device_ids: [1],
  function_name: null,
  function_kind: null,
  num_alerts: 0,
  misses_frames: false,
};
const FORWARD: ExecutionDigest = {
  ...OP,
  index: 1035,
  op_type: '__forward_loss_fn_305',
  function_name: 'loss_fn',
  function_kind: 'forward',
  num_alerts: 1,
};

describe('a box', () => {
  it('shows the first letter of what people call it, none that reads as a digit', () => {
    expect(boxLetter(OP)).toBe('E');
    expect(boxLetter(FORWARD)).toBe('L');
    expect(boxLetter({ ...FORWARD, function_name: '_step' })).toBe('S');
    expect(boxLetter({ ...FORWARD, function_name: '<lambda>' })).toBe('L');
    expect(boxLetter({ ...FORWARD, function_name: 'größe' })).toBe('G');
    expect(boxLetter({ ...FORWARD, function_name: 'ßa' })).toBe('ß');
    expect(boxLetter({ ...OP, op_type: '' })).toBe('?');
  });

  it('says in words what its colour and letter show', () => {
    expect(boxLabel(OP)).toBe('execution 30, Equal');
    expect(boxLabel(FORWARD)).toBe(
      'execution 1035, loss_fn, forward function, 1 output with NaN or ∞',
    );
    expect(
      boxLabel({ ...FORWARD, function_kind: 'inference', num_alerts: 0 }, ['call of it']),
    ).toBe('execution 1035, loss_fn, function, call of it');
  });

  it('tells the op’s own name and index in its tooltip', () => {
    expect(boxTitle(OP)).toBe('#30 Equal');
    expect(boxTitle({ ...FORWARD, num_alerts: 2 })).toBe(
      '#1,035 loss_fn (forward, for gradients)\n__forward_loss_fn_305\n2 outputs with NaN or ∞',
    );
  });
});
