import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { By } from '@angular/platform-browser';
import { describe, expect, it } from 'vitest';
import { Pane } from './pane';
import { empty, failed, LOADING, type PaneState, READY, unsupported } from './pane-state';
import { ProblemPanel } from './problem-panel';

@Component({
  imports: [Pane],
  template: `
    <tbd-pane heading="Alerts" note="123" [state]="state()" (retry)="retries.set(retries() + 1)">
      <p>content</p>
    </tbd-pane>
    <tbd-pane heading="Stack Trace" />
  `,
})
class Page {
  readonly state = signal<PaneState>(READY);
  readonly retries = signal(0);
}

function show() {
  const fixture = TestBed.createComponent(Page);
  fixture.detectChanges();
  const page = fixture.nativeElement as HTMLElement;
  const region = (name: string) => page.querySelector(`[aria-label="${name}"]`) as HTMLElement;
  return { fixture, page, region };
}

describe('Pane', () => {
  it('is a region with the name of its heading', () => {
    const { region } = show();
    expect(region('Alerts').tagName).toBe('SECTION');
    expect(region('Alerts').textContent).toContain('content');
    expect(region('Alerts').querySelector('h2')?.textContent).toBe('Alerts');
  });

  it.each([
    [empty('Nothing here'), 'Nothing here'],
    [LOADING, 'Loading…'],
    [failed('disk on fire'), 'Could not load this. disk on fire'],
    [unsupported('CURT_HEALTH keeps no shapes'), 'Not recorded. CURT_HEALTH keeps no shapes'],
  ] as const)('says its state: $kind', (state, text) => {
    const { fixture, region } = show();
    fixture.componentInstance.state.set(state);
    fixture.detectChanges();
    expect(region('Alerts').textContent?.replace(/\s+/g, ' ')).toContain(text);
    expect(region('Alerts').textContent).not.toContain('content');
  });

  it('offers to try again what failed', () => {
    const { fixture, region } = show();
    fixture.componentInstance.state.set(failed('x'));
    fixture.detectChanges();
    const button = region('Alerts').querySelector<HTMLElement>('.message button');
    button?.click();
    expect(fixture.componentInstance.retries()).toBe(1);
  });

  it('offers what to do where a problem is the cause', () => {
    const { fixture, region } = show();
    fixture.componentInstance.state.set(empty('No event is here.', 'events_not_written'));
    fixture.detectChanges();
    region('Alerts').querySelector<HTMLElement>('.message button')?.click();
    expect(TestBed.inject(ProblemPanel).asked()).toEqual({ kind: 'events_not_written' });
  });

  it.each([
    ['below the view', 480, 590, 130],
    ['below the view and higher than it', 480, 1200, 380],
    ['behind what covers the end', 400, 480, 20],
    ['above the view', 60, 170, -40],
    ['in view', 300, 410, 0],
  ])('is scrolled no further than it must to show a part of it that is %s', (...given) => {
    const [, top, bottom, moved] = given;
    const { fixture, region } = show();
    const body = region('Alerts').querySelector('.body') as HTMLElement;
    const part = body.querySelector('p') as HTMLElement;
    body.scrollTop = 1000;
    body.getBoundingClientRect = () => ({ top: 100, bottom: 500 }) as DOMRect;
    part.getBoundingClientRect = () => ({ top, bottom }) as DOMRect;
    const pane = fixture.debugElement.query(By.directive(Pane)).componentInstance as Pane;
    pane.reveal(part, { atBottom: 40 });
    expect(body.scrollTop).toBe(1000 + moved);
  });

  it('fills the page and gives it back', () => {
    const { fixture, page, region } = show();
    const [alerts, stack] = page.querySelectorAll('tbd-pane');
    region('Maximise Alerts').click();
    fixture.detectChanges();
    expect(alerts?.classList.contains('maximised')).toBe(true);
    expect(stack?.classList.contains('behind')).toBe(true);
    region('Restore Alerts').click();
    fixture.detectChanges();
    expect(alerts?.classList.contains('maximised')).toBe(false);
    expect(stack?.classList.contains('behind')).toBe(false);
  });
});
