import { describe, expect, it } from 'vitest';
import { partsOf } from './key-parts';

describe('partsOf', () => {
  it('lists keys of the whole page first, then by pane, keys of one effect in a line', () => {
    const latestFirst = [
      { key: 'p', effect: 'Previous alert' },
      { key: 'n', effect: 'Next alert' },
      { key: 'Escape', effect: 'Close a list' },
      { key: 'ArrowDown', effect: 'Next', pane: 'Alerts' },
      { key: 'j', effect: 'Next', pane: 'Alerts' },
      { key: 'Escape', effect: 'Close a list' },
    ];
    expect(partsOf(latestFirst)).toEqual([
      {
        pane: '',
        lines: [
          { keys: ['n'], effect: 'Next alert' },
          { keys: ['p'], effect: 'Previous alert' },
          { keys: ['Esc'], effect: 'Close a list' },
        ],
      },
      { pane: 'Alerts', lines: [{ keys: ['j', '↓'], effect: 'Next' }] },
    ]);
  });
});
