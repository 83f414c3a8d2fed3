// The name of an op or a tensor, cut in its middle where room is short: its scope begins it, its op ends it. Owns nothing.
import { Component, computed, input } from '@angular/core';

/** Shorter names are cut on the left. */
const LEAST_SPLIT = 16;
/** A first scope up to this length is shown whole; the end, which tells more, gets the rest of the room. */
const MOST_OF_START = 10;
const LETTERS_OF_LONG_START = 8;

@Component({
  selector: 'tbd-op-name',
  template: `
    @let parts = split();
    @if (parts.start) {
      <span class="visually-hidden">{{ name() }}</span>
      <span class="start" aria-hidden="true">{{ parts.start }}</span>
      <span class="end" aria-hidden="true"
        ><bdi>{{ parts.end }}</bdi></span
      >
    } @else {
      <span class="end"
        ><bdi>{{ parts.end }}</bdi></span
      >
    }
  `,
  styles: `
    :host {
      position: relative;
      display: flex;
      min-width: 0;
      overflow: hidden;
    }
    .start {
      flex: none;
      white-space: pre;
    }
    .end {
      flex: 0 1 auto;
      min-width: 0;
      overflow: hidden;
      direction: rtl;
      text-align: left;
      text-overflow: ellipsis;
      white-space: pre;
    }
    bdi {
      unicode-bidi: isolate;
      direction: ltr;
    }
  `,
})
export class OpName {
  readonly name = input.required<string>();

  protected readonly split = computed(() => splitName(this.name()));
}

/** What stays before the cut, and what gives way after it; a short name has no start. */
export function splitName(name: string): { readonly start: string; readonly end: string } {
  const letters = [...name];
  if (letters.length < LEAST_SPLIT) return { start: '', end: name };
  const scope = letters.indexOf('/') + 1;
  const at = scope > 0 && scope <= MOST_OF_START ? scope : LETTERS_OF_LONG_START;
  return { start: letters.slice(0, at).join(''), end: letters.slice(at).join('') };
}

/** Whether an op's name ends with its type, as most do: "gradients/Sum_1" of Sum, "div_no_nan" of DivNoNan. */
export function saysType(name: string, type: string): boolean {
  const leaf = name.split('/').at(-1) ?? '';
  const said = leaf.replace(/_\d+$/, '').replaceAll('_', '');
  return said.toLowerCase() === type.toLowerCase();
}
