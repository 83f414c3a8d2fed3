// What Graph Structure draws: boxes and the edges between them, without sizes or positions. Values: made anew with each answer.
import type { Schema } from '../api/client';
import type { SelectedEvent } from '../state/view';
import { badValues, isBad, type TensorHealth } from '../ui/tensor-health';

/** One output's value at the call in view. */
export interface BoxValue {
  /** Null where the box has one output only, or the slot is not known. */
  readonly slot: number | null;
  readonly health: TensorHealth;
}

export interface Box {
  readonly key: string;
  /** `unknown`: who made a value was not recorded. `more`: neighbours of a neighbour that are not drawn. `inside`: a call's graph. */
  readonly kind: 'op' | 'execution' | 'unknown' | 'more' | 'inside';
  /** What it is to the focus, for its accessible name: "input 0". */
  readonly place: string;
  /** The graph it is in, where that is not the focus's: "model". */
  readonly graphName: string | null;
  readonly name: string;
  readonly type: string | null;
  /** What is to say beside the values, or instead of them. */
  readonly remark: string;
  /** Its record is not on disk, although such records are. */
  readonly lost: boolean;
  readonly values: readonly BoxValue[];
  /** Outputs that are not among `values`. */
  readonly otherOutputs: number;
  readonly focused: boolean;
  /** Stands for an argument of its function. */
  readonly argument: boolean;
  /** The graph op that it stands for, if any. */
  readonly op: { readonly graphId: string; readonly opName: string } | null;
  /** What a click selects; null: nothing. */
  readonly event: SelectedEvent | null;
}

export const EMPTY_BOX: Box = {
  key: '',
  kind: 'op',
  place: '',
  graphName: null,
  name: '',
  type: null,
  remark: '',
  lost: false,
  values: [],
  otherOutputs: 0,
  focused: false,
  argument: false,
  op: null,
  event: null,
};

/** A neighbour that is listed, since there are too many to draw each as a box. */
export interface ListedOp {
  readonly key: string;
  readonly name: string;
  readonly type: string | null;
  /** "0 → 1" */
  readonly slots: string;
  readonly health: TensorHealth | null;
  readonly event: SelectedEvent;
}

/** The neighbours on one side of the focus that are not boxes. */
export interface Rest {
  readonly key: string;
  readonly side: 'inputs' | 'consumers';
  /** All of them, listed or not. */
  readonly count: number;
  readonly ops: readonly ListedOp[];
  /** Whether more can be listed by asking for more. */
  readonly canGrow: boolean;
}

export interface Edge {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** Output slots at `from` and input slots at `to`, one pair a tensor; empty for an argument. */
  readonly slots: readonly (readonly [output: number, input: number])[];
  readonly label: string;
  /** The label in full: "output 0 is input 1 of mul". */
  readonly words: string;
  /** What of the value is bad: "NaN", "−∞, +∞"; empty: nothing. */
  readonly bad: string;
  /** Joins a function's argument with its producer in the caller. */
  readonly argument: boolean;
}

export interface Drawing {
  /** Key of the box that all is about. */
  readonly focus: string;
  /** Top to bottom as far as their order is known. */
  readonly boxes: readonly Box[];
  readonly rests: readonly Rest[];
  readonly edges: readonly Edge[];
  /** Whether there was more within reach than is drawn. */
  readonly cut: boolean;
}

/** What is bad of a value, as signs: "NaN, −∞". */
export function badSigns(health: TensorHealth | null | undefined): string {
  if (!health || !isBad(health)) return '';
  return (
    badValues(health)
      .map(({ sign }) => sign)
      .join(', ') || 'NaN/∞'
  );
}

/** A box is bad if any value in it is. */
export function isBadBox(box: Box): boolean {
  return box.values.some(({ health }) => isBad(health));
}

/** What joins two boxes may be several tensors: "0 → 0, 0 → 1". */
export function slotsText(slots: Edge['slots']): string {
  return firstOf(slots.map(([output, input]) => `${output} → ${input}`));
}

/** "→ 0, 2": the inputs that an edge leads to from nothing that has outputs. */
export function inputsText(slots: Edge['slots']): string {
  return `→ ${firstOf(slots.map(([, input]) => String(input)))}`;
}

function firstOf(texts: readonly string[]): string {
  return texts.length > 3
    ? `${texts.slice(0, 2).join(', ')}, +${texts.length - 2}`
    : texts.join(', ');
}

/** "output 0 of Log is input 1 of mul" */
export function slotsWords(slots: Edge['slots'], from: string, to: string): string {
  return slots
    .map(([output, input]) => `output ${output} of ${from} is input ${input} of ${to}`)
    .join('\n');
}

/** "input 0 of SelectV2": of an edge from nothing that has outputs. */
export function inputsWords(slots: Edge['slots'], to: string): string {
  return slots.map(([, input]) => `input ${input} of ${to}`).join('\n');
}

export type Neighborhood = Schema<'Neighborhood'>;
export type OpNode = Schema<'OpNode'>;
export type Producer = Schema<'Producer'>;
