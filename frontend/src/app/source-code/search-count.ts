// How many matches the search has, and which of them is selected, beside the search's field. Stateless.
import { getSearchQuery, searchPanelOpen, setSearchQuery } from '@codemirror/search';
import { type EditorState, Prec } from '@codemirror/state';
import { ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { countOf, countText } from '../ui/number-text';

/** Matches beyond are not counted: a letter in a long file has tens of thousands. */
const MOST_COUNTED = 1000;

/** "3 of 17", "17 matches" where none is selected, "1,000+ matches"; empty while nothing is looked for. */
export function searchCount(state: EditorState): string {
  const query = getSearchQuery(state);
  if (!query.search) return '';
  if (!query.valid) return 'not a regexp';
  const { from, to } = state.selection.main;
  const matches = query.getCursor(state);
  let count = 0;
  let selected = 0;
  for (let match = matches.next(); !match.done; match = matches.next()) {
    if (count === MOST_COUNTED) {
      const most = `${countText(MOST_COUNTED)}+`;
      return selected ? `${countText(selected)} of ${most}` : `${most} matches`;
    }
    count++;
    if (match.value.from === from && match.value.to === to) selected = count;
  }
  if (selected) return `${countText(selected)} of ${countText(count)}`;
  return count ? countOf(count, 'match', 'matches') : 'no match';
}

/** Puts the count into the search panel, where screen readers announce it as it changes. */
class MatchCount {
  readonly #label = document.createElement('span');

  constructor() {
    this.#label.className = 'tbd-search-count';
    this.#label.setAttribute('role', 'status');
  }

  update({ view, state, startState, docChanged, selectionSet, transactions }: ViewUpdate): void {
    if (!searchPanelOpen(state)) return;
    const asked = transactions.some(({ effects }) =>
      effects.some((effect) => effect.is(setSearchQuery)),
    );
    const opened = !searchPanelOpen(startState);
    if (opened) view.dom.querySelector('.cm-search [name=search]')?.after(this.#label);
    if (asked || opened || docChanged || selectionSet) this.#label.textContent = searchCount(state);
  }
}

// Last of all: the panel is there once the plugin that makes it has been told.
export const countOfMatches = Prec.lowest(ViewPlugin.fromClass(MatchCount));
