import { expect, it } from 'vitest';
import {
  callOf,
  confidenceOf,
  doubtOf,
  functionOf,
  headlineOf,
  lineOf,
  linkName,
  type RootCause,
} from './cause-words';

const LOG: RootCause = {
  alert_index: 0,
  op_type: 'Log',
  op_name: 'scope/Log',
  graph_id: 'g',
  execution_index: null,
  graph_execution_trace_index: 71,
  output_slot: 0,
  kind: 'operation',
  graph_name: '__backward_loss_fn_305',
  call_number: 37,
  called: 'train_step',
  source: {
    host_name: 'vm',
    file_path: '/home/dev/mlp.py',
    lineno: 24,
    function: 'loss_fn',
    file_index: 0,
  },
  forward_source: null,
  evidence: '',
  advice: '',
  confidence: 'high',
  is_harmless: false,
  num_origins: 1,
  num_alerts: 100,
  chain: [],
};
const MASK: RootCause = { ...LOG, is_harmless: true, num_alerts: 20 };

it.each([
  [[LOG], 1, '1 cause explains 100 of 123 alerts'],
  [[LOG, LOG, MASK], 3, '2 causes explain 200 of 123 alerts'],
  [[LOG, LOG], 60, 'The first 2 causes explain 200 of 123 alerts'],
  [[MASK], 1, 'Nothing harmful in 123 alerts'],
  [[], 0, 'No cause found for 123 alerts'],
])('the headline counts what does harm (%#)', (causes, num_causes, text) => {
  const counts = { num_causes, num_muted_causes: 0, num_alerts: 123, num_muted: 0 };
  const answer = { causes, ...counts, num_explained: 0, limits: [] };
  expect(headlineOf(answer)).toBe(text);
});

it('says where', () => {
  expect([functionOf(LOG), lineOf(LOG)]).toEqual(['loss_fn', 'mlp.py:24']);
  const lineless = { ...LOG, source: null };
  expect([functionOf(lineless), lineOf(lineless)]).toEqual(['backward loss_fn', '']);
  expect(functionOf({ ...lineless, graph_name: null })).toBe('');
});

it('says how sure it is in words', () => {
  expect(confidenceOf({ ...LOG, confidence: 'medium' }).text).toBe('medium confidence');
});

it('names the steps to the damage', () => {
  expect(linkName(LOG)).toBe('Log:0');
  expect(linkName({ ...LOG, op_name: null, op_type: '__forward_loss_fn_305' })).toBe('loss_fn');
});

it('says which call of which function it was', () => {
  expect(callOf(LOG)).toBe('37th call of train_step');
  expect(callOf({ ...LOG, called: 'Log' })).toBe('');
  expect(callOf({ ...LOG, call_number: null, called: null })).toBe('');
});

it('says what is not known of the way to a step', () => {
  expect(doubtOf({ ...LOG, is_guess: true, num_skipped: 0 })).toBe('a guess');
  expect(doubtOf({ ...LOG, is_guess: true, num_skipped: 5 })).toBe('5 steps left out before');
  expect(doubtOf({ ...LOG, is_guess: false, num_skipped: 0 })).toBe('');
});
