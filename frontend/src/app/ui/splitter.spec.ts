import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { Splitter } from './splitter';

@Component({
  imports: [Splitter],
  template: `<tbd-splitter
    orientation="vertical"
    label="Resize Alerts"
    remembersAs="test"
    [initial]="200"
    [min]="100"
    [max]="300"
    [resizesNext]="next()"
    [(size)]="size"
  />`,
})
class Layout {
  readonly size = signal(200);
  readonly next = signal(false);
}

describe('Splitter', () => {
  beforeEach(() => localStorage.clear());

  function show() {
    const fixture = TestBed.createComponent(Layout);
    fixture.detectChanges();
    const bar = fixture.nativeElement.querySelector('tbd-splitter') as HTMLElement;
    const press = (key: string, shiftKey = false) => {
      bar.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, cancelable: true }));
      fixture.detectChanges();
    };
    return { layout: fixture.componentInstance, bar, press, fixture };
  }

  it('is a separator with a name and a value', () => {
    const { bar } = show();
    expect(bar.getAttribute('role')).toBe('separator');
    expect(bar.getAttribute('aria-label')).toBe('Resize Alerts');
    expect(bar.getAttribute('aria-orientation')).toBe('vertical');
    expect(bar.getAttribute('aria-valuenow')).toBe('200');
    expect(bar.getAttribute('aria-valuemin')).toBe('100');
    expect(bar.getAttribute('aria-valuemax')).toBe('300');
  });

  it('resizes by keys, within its bounds', () => {
    const { layout, press, bar } = show();
    press('ArrowRight');
    expect(layout.size()).toBe(216);
    expect(bar.getAttribute('aria-valuenow')).toBe('216');
    press('ArrowLeft', true);
    expect(layout.size()).toBe(120);
    press('ArrowLeft', true);
    expect(layout.size()).toBe(100);
    press('End');
    expect(layout.size()).toBe(300);
    press('Enter');
    expect(layout.size()).toBe(200);
  });

  it('moves the other way where the pane comes after it', () => {
    const { layout, press } = show();
    layout.next.set(true);
    press('Home');
    press('ArrowLeft');
    expect(layout.size()).toBe(116);
  });

  it('remembers the size', () => {
    show().press('End');
    expect(show().layout.size()).toBe(300);
  });

  it('ignores a remembered size that is none', () => {
    localStorage.setItem('tb_debugger.size.test', 'wide');
    expect(show().layout.size()).toBe(200);
  });
});
