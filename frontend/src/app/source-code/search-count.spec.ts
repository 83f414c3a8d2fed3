import { openSearchPanel, search, SearchQuery, setSearchQuery } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { countOfMatches, searchCount } from './search-count';

/** The count in a text, with what is selected there. */
function counted(
  text: string,
  query: ConstructorParameters<typeof SearchQuery>[0],
  selected: readonly [number, number] = [0, 0],
): string {
  const state = EditorState.create({ doc: text, extensions: search() });
  return searchCount(
    state.update({
      effects: setSearchQuery.of(new SearchQuery(query)),
      selection: { anchor: selected[0], head: selected[1] },
    }).state,
  );
}

describe('the count of matches', () => {
  it('says which match is selected', () => {
    expect(counted('log log log', { search: 'log' }, [4, 7])).toBe('2 of 3');
  });

  it('says how many there are where none is selected', () => {
    expect(counted('log log', { search: 'log' }, [1, 2])).toBe('2 matches');
    expect(counted('log', { search: 'log' })).toBe('1 match');
    expect(counted('exp', { search: 'log' })).toBe('no match');
  });

  it('says nothing while nothing is looked for', () => {
    expect(counted('log', { search: '' })).toBe('');
  });

  it('is bounded in a long text', () => {
    const text = 'a'.repeat(1000);
    expect(counted(text, { search: 'a' }, [999, 1000])).toBe('1,000 of 1,000');
    expect(counted(`${text}a`, { search: 'a' }, [2, 3])).toBe('3 of 1,000+');
    expect(counted(`${text}a`, { search: 'a' }, [1000, 1001])).toBe('1,000+ matches');
  });

  it('follows what the query says of case, and of expressions', () => {
    expect(counted('Log log', { search: 'log', caseSensitive: true })).toBe('1 match');
    expect(counted('Log log', { search: 'l.g', regexp: true })).toBe('2 matches');
    expect(counted('Log log', { search: '(', regexp: true })).toBe('not a regexp');
  });

  it('stands beside the field, and is announced', () => {
    const view = new EditorView({
      parent: document.body,
      doc: 'log log',
      extensions: [search(), countOfMatches],
    });
    openSearchPanel(view);
    view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search: 'log' })) });
    const label = () => view.dom.querySelector('.cm-search [role=status]')?.textContent;
    expect(label()).toBe('2 matches');
    view.dispatch({ selection: { anchor: 4, head: 7 } });
    expect(label()).toBe('2 of 2');
    view.destroy();
  });
});
