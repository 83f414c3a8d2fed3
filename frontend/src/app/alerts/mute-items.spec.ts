import { describe, expect, it } from 'vitest';
import { isRule } from '../state/mute-rules';
import { itemsOfAlert, itemsOfTypes } from './mute-items';

const SOURCE = {
  host_name: 'vm',
  file_path: '/home/dev/mlp.py',
  lineno: 24,
  function: 'compute_loss',
  file_index: 0,
};
const TRACE = {
  op_type: 'Log',
  op_name: 'model/Log',
  function_name: 'loss_fn',
  graph_name: 'loss_fn',
  source: SOURCE,
};
const rules = (alert: Partial<typeof TRACE> | object) => {
  const items = itemsOfAlert({ ...TRACE, ...alert });
  expect(items.every(({ rule }) => isRule(rule))).toBe(true);
  return items.map(({ rule }) => rule);
};

describe('what can be muted of an alert', () => {
  it('is its op type, its op, its function and its line', () => {
    expect(rules({})).toEqual([
      'op_type:Log',
      'op:model/Log',
      'function:loss_fn',
      'line:/home/dev/mlp.py:24',
    ]);
  });

  it('has no op where it was computed eagerly, and the user’s function then', () => {
    expect(rules({ op_name: null, function_name: null })).toEqual([
      'op_type:Log',
      'function:compute_loss',
      'line:/home/dev/mlp.py:24',
    ]);
  });

  it('has a function in place of a type where it is a function’s own output', () => {
    const alert = { op_type: '__inference_f_12', op_name: null, function_name: 'f' };
    expect(rules(alert)).toEqual(['function:f', 'line:/home/dev/mlp.py:24']);
  });

  it('has the function of its graph where it is a pattern', () => {
    const { op_type, source } = TRACE;
    const graph_name = '__inference_step_12';
    const ofOp = itemsOfAlert({ op_type, op_name: 'Relu', graph_name, source: null });
    expect(ofOp.map(({ rule }) => rule)).toEqual(['op_type:Log', 'op:Relu', 'function:step']);
    const ofFunction = itemsOfAlert({ op_type: '', op_name: null, graph_name, source });
    expect(ofFunction.map(({ rule }) => rule)).toEqual([
      'function:step',
      'line:/home/dev/mlp.py:24',
    ]);
  });

  it('has no more than is known', () => {
    expect(rules({ op_type: '', source: null, function_name: null })).toEqual(['op:model/Log']);
  });

  it('is one of the types that have most alerts', () => {
    const types = [
      { op_type: 'Log', num_alerts: 1200 },
      { op_type: '__backward_f_3_4', num_alerts: 1 },
      { op_type: '', num_alerts: 1 },
    ];
    expect(itemsOfTypes(types)).toEqual([
      { rule: 'op_type:Log', kind: 'op type', text: 'Log', note: '1,200' },
      { rule: 'op_type:__backward_f_3_4', kind: 'function', text: 'backward f', note: '1' },
    ]);
  });
});
