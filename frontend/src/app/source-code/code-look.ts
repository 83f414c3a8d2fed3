// How code looks in the editor: the page's own colours and fonts, which follow its theme.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const layout = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overscrollBehavior: 'contain' },
  '.cm-content': { padding: '2px 0 24px', caretColor: 'transparent' },
  '&.cm-focused .cm-content': { outline: 'none' },
  '.cm-line': { padding: '0 12px 0 4px' },

  '.cm-gutters': {
    border: '0',
    backgroundColor: 'var(--bg)',
    color: 'var(--dim)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-gutterElement': { cursor: 'pointer' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 12px 0 8px', minWidth: '46px' },
  '.cm-lineNumbers .cm-gutterElement:hover': { color: 'var(--fn)', textDecoration: 'underline' },
  '.tbd-counts': { minWidth: '74px', fontSize: '11px' },
  '.tbd-counts .cm-gutterElement': { padding: '0 6px 0 12px', textAlign: 'right' },
  '.tbd-count:hover': { textDecoration: 'underline' },
  '.tbd-count.bad': { color: 'var(--bad)', fontWeight: '500' },

  '.cm-line.tbd-focused-line, .cm-gutterElement.tbd-focused-line': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.tbd-counts .tbd-focused-line': { boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-lineNumbers .tbd-focused-line': { color: 'var(--text)', fontWeight: '600' },
  // Where the keys are; shown only while they go to the code, and the keyboard is used.
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-content:focus-visible .cm-activeLine': {
    outline: '1px solid var(--fn)',
    outlineOffset: '-1px',
  },

  '.cm-selectionMatch': { backgroundColor: 'var(--fn-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--input)', outline: '1px solid var(--line-strong)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'var(--fn-soft)',
    outline: '2px solid var(--fn)',
  },

  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '4px 6px',
    padding: '4px 36px 4px 12px',
    font: '12px var(--font)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '2px',
    margin: '0',
    fontSize: '12px',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0 2px 0 0', accentColor: 'var(--fn)' },
  '.cm-panel.cm-search [name=select]': { display: 'none' },
  '.cm-panel .cm-textfield': {
    flex: '0 1 200px',
    minWidth: '80px',
    height: '24px',
    margin: '0',
    padding: '0 8px',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    font: '12px var(--mono)',
  },
  '.tbd-search-count': {
    minWidth: '76px',
    color: 'var(--dim)',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
  '.cm-panel .cm-button': {
    height: '24px',
    margin: '0',
    padding: '0 9px',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--bg)',
    backgroundImage: 'none',
    color: 'var(--text)',
    font: '12px var(--font)',
    cursor: 'pointer',
  },
  '.cm-panel .cm-button:hover': { borderColor: 'var(--line-strong)' },
  '.cm-panel.cm-search [name=close], .cm-panel .cm-dialog-close': {
    top: '4px',
    right: '6px',
    width: '24px',
    height: '24px',
    borderRadius: 'var(--radius)',
    color: 'var(--dim)',
    font: '18px/1 var(--font)',
    cursor: 'pointer',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--str)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--num)' },
  { tag: [tags.comment], color: 'var(--com)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.className], fontWeight: '600' },
  { tag: tags.meta, color: 'var(--key)' },
]);

export const codeLook = [layout, syntaxHighlighting(colours)];
