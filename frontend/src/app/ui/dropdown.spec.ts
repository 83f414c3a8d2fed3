import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import { Dropdown } from './dropdown';

@Component({
  imports: [Dropdown],
  template: `
    <tbd-dropdown label="Run">
      <span dropdown-button>
        @if (named()) {
          mlp
        }
      </span>
      <ng-template #panel><button class="inside">other</button></ng-template>
    </tbd-dropdown>
    <button class="outside">elsewhere</button>
  `,
})
class Page {
  readonly named = signal(true);
}

function open() {
  const fixture = TestBed.createComponent(Page);
  document.body.append(fixture.nativeElement);
  fixture.detectChanges();
  const page = fixture.nativeElement as HTMLElement;
  const button = page.querySelector<HTMLElement>('[aria-label=Run]');
  const panel = () => page.querySelector('.inside');
  const act = (action: () => void) => {
    action();
    fixture.detectChanges();
  };
  act(() => button?.click());
  return { page, button, panel, act };
}

describe('Dropdown', () => {
  it('opens its panel and tells so', () => {
    const { button, panel } = open();
    expect(panel()?.textContent).toBe('other');
    expect(button?.getAttribute('aria-expanded')).toBe('true');
  });

  it('closes by Escape and gives the focus back', () => {
    const { button, panel, act } = open();
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
    act(() => panel()?.dispatchEvent(event));
    expect(panel()).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('closes by a press elsewhere, not inside', () => {
    const { page, panel, act } = open();
    act(() => panel()?.dispatchEvent(new Event('pointerdown', { bubbles: true })));
    expect(panel()).not.toBeNull();
    const outside = page.querySelector('.outside');
    act(() => outside?.dispatchEvent(new Event('pointerdown', { bubbles: true })));
    expect(panel()).toBeNull();
  });
});
