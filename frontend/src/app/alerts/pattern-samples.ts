// Patterns for tests.
import type { FunctionVersion } from '../retracing/version-rows';
import type { KindOfPattern, Pattern, Patterns } from './pattern-words';

const SOURCE = {
  host_name: 'vm',
  file_path: '/home/dev/train.py',
  lineno: 13,
  function: 'step',
  file_index: 0,
};

export function deadRelu(others: Partial<Pattern> = {}): Pattern {
  return {
    kind: 'dead_activation',
    op_type: 'Relu',
    op_name: 'model/Relu',
    graph_id: 'g',
    graph_name: 'step',
    output_slot: 0,
    execution_index: null,
    graph_execution_trace_index: 97,
    source: SOURCE,
    evidence: 'All of 40 elements were zero in all 4 calls.',
    num_events: 4,
    versions: [],
    num_versions: 0,
    is_usual: false,
    ...others,
  };
}

/** The version for an x of that size, first called by execution 2 * size. */
export function version(size: number, others: Partial<FunctionVersion> = {}): FunctionVersion {
  return {
    graph_id: `f-${size}`,
    first_execution_index: 2 * size,
    num_calls: 1,
    source: SOURCE,
    arguments: [{ name: 'x', dtype: 'float32', rank: 1, shape: [size], size }],
    ...others,
  };
}

export function retraced(sizes: readonly number[]): Pattern {
  return deadRelu({
    kind: 'retracing',
    op_type: '',
    op_name: null,
    graph_name: 'f',
    output_slot: null,
    execution_index: 6,
    graph_execution_trace_index: null,
    evidence: '3 of 3 calls compiled a new version.',
    versions: sizes.map((size) => version(size)),
    num_versions: sizes.length,
  });
}

const KINDS = [
  ['retracing', 'Retraced functions'],
  ['dead_activation', 'Dead activations'],
  ['zero_gradient', 'Zero gradients'],
] as const;

/** Three kinds, and the alerts given. */
export function patternsOf(...alerts: readonly Pattern[]): Patterns {
  return {
    kinds: KINDS.map(([kind, title]): KindOfPattern => ({
      kind,
      title,
      rule: `When it is told: ${title}.`,
      advice: 'Set `reduce_retracing`.',
      docs: `docs/alert-kinds.md#${kind}`,
      num_alerts: alerts.filter((alert) => alert.kind === kind && !alert.is_usual).length,
      num_usual: alerts.filter((alert) => alert.kind === kind && alert.is_usual).length,
      usual: 'Half of them are zero.',
      needs: [],
    })),
    alerts: [...alerts],
  };
}
