// What a pane has to show. Nothing is ever blank: each state but `ready` is a text.

export type PaneState =
  | { readonly kind: 'ready' }
  /** There is nothing, or nothing selected; the text says what to do. Where a problem is the cause, its kind. */
  | { readonly kind: 'empty'; readonly text: string; readonly problem?: string }
  | { readonly kind: 'loading'; readonly text?: string }
  /** The text is the reason; the pane offers a retry. */
  | { readonly kind: 'failed'; readonly text: string }
  /** This run's debug mode cannot show it; the text says which can. */
  | { readonly kind: 'unsupported'; readonly text: string; readonly problem?: string };

export const READY: PaneState = { kind: 'ready' };
export const LOADING: PaneState = { kind: 'loading' };
export const empty = (text: string, problem?: string): PaneState =>
  problem === undefined ? { kind: 'empty', text } : { kind: 'empty', text, problem };
export const failed = (text: string): PaneState => ({ kind: 'failed', text });
export const unsupported = (text: string, problem?: string): PaneState =>
  problem === undefined ? { kind: 'unsupported', text } : { kind: 'unsupported', text, problem };
