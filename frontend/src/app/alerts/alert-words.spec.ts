import { describe, expect, it } from 'vitest';
import { eventOfAlert } from '../state/alert-roles';
import {
  type Alert,
  alertLabel,
  alertName,
  alertSource,
  alertTitle,
  placeText,
  whereText,
} from './alert-words';

const TRACE: Alert = {
  alert_type: 'InfNanAlert',
  index: 0,
  op_type: 'Sum',
  function_name: 'dense_layer',
  function_kind: 'backward',
  op_name: 'gradients/add_grad/Sum',
  graph_id: 'g',
  graph_name: '__backward_dense_layer_127',
  output_slot: 0,
  size: 1000,
  num_neg_inf: 24,
  num_pos_inf: 0,
  num_nan: 0,
  execution_index: null,
  graph_execution_trace_index: 71,
  wall_time: 0,
  host_name: 'vm',
  source: {
    host_name: 'vm',
    file_path: '/home/dev/mlp.py',
    lineno: 24,
    function: 'step',
    file_index: 0,
  },
};
const EAGER: Alert = {
  ...TRACE,
  op_type: '__forward_loss_fn_305',
  function_name: 'loss_fn',
  function_kind: 'forward',
  op_name: null,
  graph_id: null,
  graph_name: null,
  output_slot: null,
  execution_index: 35,
  graph_execution_trace_index: null,
  source: null,
};

describe('an alert of a graph', () => {
  it('names the tensor, its function and the line', () => {
    expect(placeText(TRACE)).toBe('#71');
    expect(alertName(TRACE)).toEqual({ scope: 'gradients/add_grad/', name: 'Sum:0' });
    expect(whereText(TRACE)).toBe('backward dense_layer');
    expect(alertSource(TRACE)).toEqual({ file: 'mlp.py', line: ':24' });
    expect(eventOfAlert(TRACE)).toEqual({ kind: 'trace', index: 71 });
  });

  it('tells all in its tooltip and label', () => {
    expect(alertTitle(TRACE)).toBe(
      'gradients/add_grad/Sum:0 (Sum)\ngraph execution #71, backward dense_layer\n−∞ ×24 of 1,000 values\n/home/dev/mlp.py:24 in step',
    );
    expect(alertLabel(TRACE)).toBe(
      'graph execution 71, gradients/add_grad/Sum:0, backward dense_layer, −∞ ×24, mlp.py:24',
    );
  });
});

describe('an alert of an eager execution', () => {
  it('names the op or the function, and the output where it is known', () => {
    expect(placeText(EAGER)).toBe('e35');
    expect(alertName(EAGER).name).toBe('loss_fn');
    expect(alertName({ ...EAGER, function_kind: 'backward' }).name).toBe('backward loss_fn');
    expect(alertName({ ...EAGER, function_name: null, op_type: 'Log' }).name).toBe('Log');
    expect(whereText(EAGER)).toBe('eager, output ?');
    expect(whereText({ ...EAGER, output_slot: 0 })).toBe('eager, output 0');
    expect(eventOfAlert(EAGER)).toEqual({ kind: 'execution', index: 35 });
  });

  it('may have no source line and no counts', () => {
    const curt = { ...EAGER, size: null, num_nan: null, num_neg_inf: null, num_pos_inf: null };
    expect(alertLabel(curt)).toBe('execution 35, loss_fn, eager, output ?, NaN/∞');
    expect(alertSource(curt)).toEqual({ file: '', line: '' });
  });
});

it('takes the name of a file from paths of any system', () => {
  const source = {
    host_name: 'pc',
    file_path: 'C:\\me\\a b.py',
    lineno: 3,
    function: 'f',
    file_index: 0,
  };
  expect(alertSource({ ...TRACE, source }).file).toBe('a b.py');
});
