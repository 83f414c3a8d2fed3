import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CauseText } from './cause-text';

let fixture: ComponentFixture<CauseText>;
let page: HTMLElement;

/** Shows texts that need so much height where there is room for 85 px. */
function show(neededHeight: number): void {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(neededHeight);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(85);
  fixture = TestBed.createComponent(CauseText);
  fixture.componentRef.setInput('evidence', 'Its input held 24 zeros.');
  fixture.componentRef.setInput('advice', 'Keep zeros out.');
  page = fixture.nativeElement as HTMLElement;
  pass();
}

function pass(): void {
  fixture.detectChanges();
  TestBed.tick();
  fixture.detectChanges();
}

const button = () => page.querySelector('button');
const cut = () => page.querySelector('.cut');

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('offers nothing more where all is to be seen', () => {
  show(85);
  expect(page.textContent).toContain('What helps: Keep zeros out.');
  expect(button()).toBeNull();
});

it('shows the first lines of a long text, and all of it when asked', () => {
  show(200);
  expect(cut()).not.toBeNull();
  expect(button()?.textContent.trim()).toBe('more');
  expect(button()?.getAttribute('aria-expanded')).toBe('false');
  button()?.click();
  pass();
  expect(cut()).toBeNull();
  expect(button()?.textContent.trim()).toBe('less');
  button()?.click();
  pass();
  expect(cut()).not.toBeNull();
});

it('shows the first lines again when the text becomes that of another cause', () => {
  show(200);
  button()?.click();
  pass();
  fixture.componentRef.setInput('evidence', 'It divided by zero.');
  pass();
  expect(cut()).not.toBeNull();
});
