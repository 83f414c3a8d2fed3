import { describe, expect, it } from 'vitest';
import type { Schema } from '../api/client';
import { inputGroups, outputGroups } from './execution-tensors';

const made = (execution_index: number, op_type: string, function_name: string | null) => ({
  tensor_id: 1,
  execution_index,
  output_slot: 0,
  op_type,
  function_name,
});
const unmade = (tensor_id: number) => ({
  tensor_id,
  execution_index: null,
  output_slot: null,
  op_type: null,
  function_name: null,
});

describe('inputs', () => {
  it('name who made them', () => {
    const groups = inputGroups([
      made(34, '__forward_model_223', 'model'),
      made(33, 'OneHot', null),
    ]);
    expect(groups.made.map(({ text }) => text)).toEqual(['#34 model → 0', '#33 OneHot → 0']);
    expect(groups.made[0]?.executionIndex).toBe(34);
    expect(groups.unmade).toBe('');
  });

  it('are counted where nobody recorded made them', () => {
    expect(inputGroups([unmade(351)]).unmade).toBe('tensor 351 (not made by a recorded execution)');
    const many = inputGroups([unmade(11), made(0, 'Add', null), unmade(17)]);
    expect(many.unmade).toBe('2 tensors (not made by a recorded execution)');
    expect(many.unmadeTitle).toBe('Tensor ids 11, 17');
  });
});

describe('outputs', () => {
  function output(output_slot: number | null, bad = 0): Schema<'ExecutionOutput'> {
    const counts = { num_neg_inf: 0, num_pos_inf: 0, num_nan: bad, has_inf_nan: bad > 0 };
    const rest = { num_negative: 0, num_zero: 0, num_positive: 1 };
    const health = { dtype: 'float32', rank: 0, shape: [], size: 1, ...counts, ...rest };
    const device = { device_id: 1, device_name: 'CPU:0' };
    return { output_slot, tensor_id: 1, ...device, health, alert_index: null };
  }

  it('of a forward function are its results and what its gradient needs', () => {
    const outputs = [output(0, 1), output(1), output(2, 3), output(3)];
    const groups = outputGroups({ outputs, num_results: 1 });
    expect(groups.results).toEqual([outputs[0]]);
    expect(groups.saved).toEqual(outputs.slice(1));
    expect(groups.savedText).toBe('+3 saved for gradients, 1 with NaN or ∞');
    expect(groups.savedBad).toBe(true);
  });

  it('are all results where nothing else is known', () => {
    const outputs = [output(0), output(1)];
    const groups = outputGroups({ outputs, num_results: null });
    expect(groups.results).toEqual(outputs);
    expect(groups.savedText).toBe('');
  });

  it('are values without a slot where the file does not tell it', () => {
    const outputs = [0, 1, 2].map((slot) => ({ ...output(slot), health: null }));
    const values = [output(null), output(null, 2)];
    const groups = outputGroups({ outputs: [...outputs, ...values], num_results: null });
    expect(groups.results).toEqual(values);
    expect(groups.unplacedText).toBe('2 values of 3 outputs');
  });
});
