// What the active parts of a filter are called. Pure.
import type { EventFilter, TraceFilter } from '../state/view';
import { shortDevice } from '../ui/device-name';
import { secondsText } from '../ui/time-text';

export interface FilterChip {
  readonly text: string;
  /** The whole of what the text shortens; empty where it does not. */
  readonly title: string;
  /** Whether it is about NaN and infinity. */
  readonly bad: boolean;
  /** The change of the filter that takes this part away. */
  readonly without: Partial<TraceFilter>;
}

export interface FilterContext {
  readonly graphName: (id: string) => string;
  /** When the run started, in seconds since 1970; null where that is not known. */
  readonly start: number | null;
}

/** Parts that the pane shows elsewhere. */
export type ShownElsewhere = readonly ('text' | 'infNanOnly')[];

export function filterChips(
  filter: EventFilter | TraceFilter,
  { graphName, start }: FilterContext,
  elsewhere: ShownElsewhere = [],
): FilterChip[] {
  const chips: FilterChip[] = [];
  const add = (text: string, without: Partial<TraceFilter>, title = '', bad = false) =>
    chips.push({ text, title, bad, without });
  const { graphId, device, beginTime, endTime } = filter;
  const { opName, call } = { opName: null, call: null, ...filter };
  const text = filter.text.trim();
  if (text && !elsewhere.includes('text')) {
    add(filter.regex ? `/${text}/` : `“${text}”`, { text: '' });
  }
  if (filter.infNanOnly && !elsewhere.includes('infNanOnly')) {
    add('NaN / ∞ only', { infNanOnly: false }, '', true);
  }
  if (filter.allZeroOnly) add('all zero only', { allZeroOnly: false });
  if (filter.dtype !== null) add(filter.dtype, { dtype: null });
  if (device !== null) add(shortDevice(device), { device: null }, device);
  if (opName !== null && graphId !== null) {
    const ofCall = call === null ? '' : ` in call ${call}`;
    add(
      opName + ofCall,
      { opName: null, graphId: null, call: null },
      `Op ${opName} of ${graphName(graphId)}${ofCall}`,
    );
  } else {
    if (graphId !== null) add(`graph ${graphName(graphId)}`, { graphId: null }, graphId);
    if (call !== null) add(`call ${call}`, { call: null });
  }
  if (beginTime !== null || endTime !== null) {
    add(rangeText(beginTime, endTime, start), { beginTime: null, endTime: null });
  }
  return chips;
}

/** "0.5 s to 2 s", "from 0.5 s", "before 2 s": since the start. */
function rangeText(begin: number | null, end: number | null, start: number | null): string {
  const text = (time: number) => secondsText(time - (start ?? 0));
  if (begin !== null && end !== null) return `${text(begin)} to ${text(end)}`;
  return begin === null ? `before ${text(end ?? 0)}` : `from ${text(begin)}`;
}

/** "1.5", "+1.5 s", "0,5" -> seconds; null for anything else. */
export function parseSeconds(text: string): number | null {
  const number = /^\+?\s*(\d{1,12}(?:[.,]\d{0,9})?)\s*s?$/.exec(text.trim())?.[1];
  return number === undefined ? null : Number(number.replace(',', '.'));
}

/** What the server says of a filter, without the names of its parameters: "The text cannot be used as …". */
export function refusalText(message: string): string {
  return message.replace(
    /^parameter '(\w+)'/,
    (_, name: string) => `The ${name.replace('_', ' ')}`,
  );
}
