import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import { RowFocus } from './row-focus';

@Component({
  imports: [RowFocus],
  template: `
    <ol tbdRowFocus>
      @for (name of names(); track name) {
        <li>
          <button data-row [attr.aria-current]="name === 'b'">{{ name }}</button>
        </li>
      }
    </ol>
  `,
})
class Page {
  readonly names = signal(['a', 'b', 'c']);
}

function open() {
  const fixture = TestBed.createComponent(Page);
  document.body.append(fixture.nativeElement);
  fixture.autoDetectChanges();
  const rows = () => [...(fixture.nativeElement as HTMLElement).querySelectorAll('button')];
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const focused = () => document.activeElement?.textContent;
  const tabStops = () =>
    rows()
      .filter((row) => row.tabIndex === 0)
      .map((row) => row.textContent);
  return { fixture, rows, press, focused, tabStops };
}

describe('RowFocus', () => {
  it('makes one tab stop of the list: the current row, then the one focused last', () => {
    const { rows, tabStops, press } = open();
    expect(tabStops()).toEqual(['b']);
    rows()[1]?.focus();
    press('ArrowDown');
    expect(tabStops()).toEqual(['c']);
  });

  it('moves by the arrows, Home and End, and stays within', () => {
    const { rows, press, focused } = open();
    rows()[0]?.focus();
    press('ArrowUp');
    expect(focused()).toBe('a');
    press('End');
    expect(focused()).toBe('c');
    press('ArrowDown');
    expect(focused()).toBe('c');
    press('Home');
    expect(focused()).toBe('a');
  });

  it('follows the rows as they change', () => {
    const { fixture, tabStops } = open();
    fixture.componentInstance.names.set(['x', 'y']);
    fixture.detectChanges();
    expect(tabStops()).toEqual(['x']);
  });
});
