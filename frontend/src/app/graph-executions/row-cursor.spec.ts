import { signal } from '@angular/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { RowCursor } from './row-cursor';

/** "h" is a heading, "." a row that is not loaded. */
function listOf(text: string) {
  const rows = signal([...text]);
  const list = {
    total: signal(text.length),
    row: (index: number) => (rows()[index] === '.' ? undefined : rows()[index]),
  };
  return { list, load: (loaded: string) => rows.set([...loaded]) };
}

describe('RowCursor', () => {
  let cursor: RowCursor<string>;
  let load: (text: string) => void;

  function open(text: string): void {
    const made = listOf(text);
    load = made.load;
    cursor = new RowCursor(made.list, (row) => row === 'h');
  }

  beforeEach(() => open('habhhcd'));

  it('goes nowhere without a goal', () => {
    expect(cursor.arrival()).toBeNull();
  });

  it('skips headings in the direction of the move', () => {
    cursor.goBy(1, 2);
    expect(cursor.arrival()).toEqual({ row: 5, entry: 'c' });
    cursor.arrived();
    cursor.goBy(-1, 5);
    expect(cursor.arrival()).toEqual({ row: 2, entry: 'b' });
  });

  it('stays within the list', () => {
    cursor.goBy(-20, 2);
    expect(cursor.arrival()).toEqual({ row: 1, entry: 'a' });
    cursor.goTo(99, -1);
    expect(cursor.arrival()).toEqual({ row: 6, entry: 'd' });
    open('h');
    cursor.goTo(0, 1);
    expect(cursor.arrival()).toBeNull();
    open('');
    cursor.goTo(0, 1);
    expect(cursor.arrival()).toBeNull();
  });

  it('waits for rows that are not loaded, and adds up moves until then', () => {
    open('ha....');
    cursor.goBy(1, 1);
    cursor.goBy(1, 1);
    expect(cursor.arrival()).toEqual({ row: 3, entry: undefined });
    load('habhcd');
    expect(cursor.arrival()).toEqual({ row: 4, entry: 'c' });
  });
});
