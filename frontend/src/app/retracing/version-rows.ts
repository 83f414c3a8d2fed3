// The versions of a function as rows of a table, each with what differs from the one before. Pure.
import type { Schema } from '../api/client';
import { countOf, countText } from '../ui/number-text';

export type FunctionVersion = Schema<'FunctionVersion'>;
type GivenArgument = Schema<'GivenArgument'>;

export interface Cell {
  readonly text: string;
  /** Whether the version before has another text here. */
  readonly differs: boolean;
}

export interface VersionRow {
  /** From 1. */
  readonly number: number;
  /** One for each of the table's argument columns. */
  readonly cells: readonly Cell[];
  /** The names of the arguments that differ; what is to be said if there are none. */
  readonly difference: string;
  readonly firstCall: number | null;
  readonly numCalls: string;
  /** "train.py:14" */
  readonly line: string;
}

export interface VersionTable {
  readonly columns: readonly string[];
  readonly rows: readonly VersionRow[];
}

const NOT_TAKEN = '—';
const NOT_RECORDED = 'not recorded';

export function versionTable(versions: readonly FunctionVersion[]): VersionTable {
  const columns = [...new Set(versions.flatMap((each) => each.arguments.map(({ name }) => name)))];
  const texts = versions.map((version) => columns.map((name) => argumentText(version, name)));
  return {
    columns,
    rows: versions.map((version, index) => {
      const before = texts[index - 1];
      const cells = (texts[index] ?? []).map((text, column) => ({
        text,
        differs: before !== undefined && before[column] !== text,
      }));
      return {
        number: index + 1,
        cells,
        difference: before ? differenceText(columns, cells) : '',
        firstCall: version.first_execution_index,
        numCalls: countText(version.num_calls),
        line: lineText(version),
      };
    }),
  };
}

/** "float32 [2, 3]", "float32, rank 2, 6 elements", "6 elements" */
export function formText({ dtype, rank, shape, size }: GivenArgument): string {
  if (shape) return [dtype, `[${shape.join(', ')}]`].filter(Boolean).join(' ');
  const parts = [
    dtype,
    rank === null ? null : `rank ${rank}`,
    size === null ? null : countOf(size, 'element'),
  ];
  return parts.filter((part) => part !== null).join(', ') || NOT_RECORDED;
}

function argumentText(version: FunctionVersion, name: string): string {
  const argument = version.arguments.find((each) => each.name === name);
  return argument ? formText(argument) : NOT_TAKEN;
}

function differenceText(columns: readonly string[], cells: readonly Cell[]): string {
  const names = columns.filter((_, column) => cells[column]?.differs);
  return names.join(', ') || 'nothing recorded';
}

function lineText({ source }: FunctionVersion): string {
  if (!source) return '';
  return `${source.file_path.split(/[\\/]/).at(-1) ?? ''}:${source.lineno}`;
}
