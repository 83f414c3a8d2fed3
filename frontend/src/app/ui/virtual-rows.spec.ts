import { Component, signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { By } from '@angular/platform-browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualRows } from './virtual-rows';

@Component({
  imports: [VirtualRows],
  template: `
    <tbd-virtual-rows [total]="total()" (shown)="shown.set($event)">
      <ng-template #row let-index
        ><p>{{ index }}</p></ng-template
      >
    </tbd-virtual-rows>
  `,
})
class Page {
  readonly total = signal(1_000_000);
  readonly shown = signal({ begin: 0, end: 0 });
}

describe('VirtualRows', () => {
  let fixture: ComponentFixture<Page>;
  let page: HTMLElement;

  const rows = () => [...page.querySelectorAll('p')];
  const numbers = () => rows().map((row) => Number(row.textContent));
  /** Without waiting for a change detection of the page. */
  const scrollTo = (scrollTop: number) => {
    const list = page.querySelector('tbd-virtual-rows');
    if (!list) throw new Error('no list');
    list.scrollTop = scrollTop;
    list.dispatchEvent(new Event('scroll'));
  };

  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = () => undefined;
        disconnect = () => undefined;
      },
    );
    // Ten rows.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
    fixture = TestBed.createComponent(Page);
    page = fixture.nativeElement as HTMLElement;
    fixture.detectChanges();
    fixture.detectChanges();
  });

  afterEach(() => {
    fixture.destroy();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('makes the rows in view and a few beside', () => {
    expect(numbers()).toEqual(Array.from({ length: 16 }, (_, index) => index));
    expect(fixture.componentInstance.shown()).toEqual({ begin: 0, end: 10 });
  });

  it('shows the rows of a place in the very turn that scrolls there', () => {
    scrollTo(4_000_000);
    const [first = 0] = numbers();
    expect(first).toBeGreaterThan(400_000);
    expect(numbers().at(-1)).toBe(first + rows().length - 1);
    fixture.detectChanges();
    const { begin, end } = fixture.componentInstance.shown();
    expect(begin).toBeGreaterThanOrEqual(first);
    expect(end).toBeLessThanOrEqual(first + rows().length);
  });

  it('goes to a row that the list does not have yet as soon as it does', () => {
    fixture.componentInstance.total.set(60);
    fixture.detectChanges();
    const list = fixture.debugElement.query(By.directive(VirtualRows))
      .componentInstance as VirtualRows;
    list.scrollToRow(150);
    fixture.detectChanges();
    expect(numbers()).not.toContain(150);
    fixture.componentInstance.total.set(160);
    fixture.detectChanges();
    expect(numbers()).toContain(150);
  });

  it('leaves the elements of rows that stay where they are', () => {
    const fifth = rows()[5];
    scrollTo(60);
    expect(rows()[5]).toBe(fifth);
    expect(fifth?.textContent).toBe('5');
  });

  it('fills the elements anew of rows that all go', () => {
    scrollTo(4_000_000);
    const before = rows();
    scrollTo(2_000_000);
    expect(rows()).toEqual(before);
    expect(new Set(numbers()).size).toBe(before.length);
  });
});
