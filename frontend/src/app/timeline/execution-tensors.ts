// The inputs and outputs of an execution, sorted for the eye. Pure.
import type { Schema } from '../api/client';
import { countOf } from '../ui/number-text';
import { isBad } from '../ui/tensor-health';
import { executionName } from './execution-words';

type ExecutionInput = Schema<'ExecutionInput'>;
type ExecutionOutput = Schema<'ExecutionOutput'>;

/** An input whose producer was recorded. */
export interface MadeInput {
  readonly executionIndex: number;
  /** "#34 model → 0" */
  readonly text: string;
}

export interface InputGroups {
  readonly made: readonly MadeInput[];
  /** "tensor 351 (not made by a recorded execution)", or how many; empty where there is none. */
  readonly unmade: string;
  /** The ids of those. */
  readonly unmadeTitle: string;
}

export function inputGroups(inputs: readonly ExecutionInput[]): InputGroups {
  const made = inputs.flatMap((input): MadeInput[] => {
    const { execution_index, output_slot, op_type, function_name } = input;
    if (execution_index === null) return [];
    const name = op_type === null ? '' : ` ${executionName({ op_type, function_name })}`;
    const slot = output_slot === null ? '' : ` → ${output_slot}`;
    return [{ executionIndex: execution_index, text: `#${execution_index}${name}${slot}` }];
  });
  const ids = inputs
    .filter(({ execution_index }) => execution_index === null)
    .map(({ tensor_id }) => tensor_id);
  const what = ids.length === 1 ? `tensor ${ids[0]}` : countOf(ids.length, 'tensor');
  return {
    made,
    unmade: ids.length ? `${what} (not made by a recorded execution)` : '',
    unmadeTitle: ids.length ? `Tensor ids ${ids.join(', ')}` : '',
  };
}

export interface OutputGroups {
  /** What the op or the function returned, and values of which the slot is not known. */
  readonly results: readonly ExecutionOutput[];
  /** "2 values of 3 outputs" where the slots of values are not known: outputs are then not listed by slot. */
  readonly unplacedText: string;
  /** What a forward function saved for its gradient. */
  readonly saved: readonly ExecutionOutput[];
  /** "+3 saved for gradients, 1 with NaN or ∞"; empty where there is none. */
  readonly savedText: string;
  readonly savedBad: boolean;
}

export function outputGroups(
  detail: Pick<Schema<'ExecutionDetail'>, 'outputs' | 'num_results'>,
): OutputGroups {
  const { num_results, outputs } = detail;
  const isSaved = ({ output_slot }: ExecutionOutput) =>
    num_results !== null && output_slot !== null && output_slot >= num_results;
  const saved = outputs.filter(isSaved);
  const results = outputs.filter((output) => !isSaved(output));
  const unplaced = results.filter(({ output_slot }) => output_slot === null);
  const bad = saved.filter(({ health }) => health && isBad(health)).length;
  const badText = bad ? `, ${bad} with NaN or ∞` : '';
  return {
    results: unplaced.length ? unplaced : results,
    unplacedText: unplaced.length
      ? `${countOf(unplaced.length, 'value')} of ${countOf(results.length - unplaced.length, 'output')}`
      : '',
    saved,
    savedText: saved.length ? `+${saved.length} saved for gradients${badText}` : '',
    savedBad: bad > 0,
  };
}
