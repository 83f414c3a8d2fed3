import { describe, expect, it } from 'vitest';
import { FrameVisibility } from './frame-visibility';

class FakeObserver {
  static last: FakeObserver;
  watched: Element | null = null;
  constructor(readonly tell: (entries: { isIntersecting: boolean }[]) => void) {
    FakeObserver.last = this;
  }
  observe(element: Element): void {
    this.watched = element;
  }
  disconnect(): void {
    this.watched = null;
  }
}

function fakeFrame(visibilityState = 'visible') {
  const frameDocument = Object.assign(new EventTarget(), {
    visibilityState,
    documentElement: document.createElement('html'),
  });
  const frame = {
    document: frameDocument,
    frameElement: document.createElement('iframe'),
    IntersectionObserver: FakeObserver,
  };
  return frame as typeof frame & Window;
}

describe('FrameVisibility', () => {
  const parent = { IntersectionObserver: FakeObserver } as unknown as Window;

  it('watches the frame element from the parent', () => {
    const frame = fakeFrame();
    const visibility = new FrameVisibility(frame, parent);
    expect(FakeObserver.last.watched).toBe(frame.frameElement);
    expect(visibility.visible()).toBe(true);
    FakeObserver.last.tell([{ isIntersecting: false }]);
    expect(visibility.visible()).toBe(false);
    FakeObserver.last.tell([{ isIntersecting: true }]);
    expect(visibility.visible()).toBe(true);
    visibility.dispose();
    expect(FakeObserver.last.watched).toBeNull();
  });

  it('watches its own document below a parent of another origin', () => {
    const frame = fakeFrame();
    new FrameVisibility(frame, null);
    expect(FakeObserver.last.watched).toBe(frame.document.documentElement);
  });

  it('is not visible while the browser tab is hidden', () => {
    const frame = fakeFrame('hidden');
    expect(new FrameVisibility(frame, parent).visible()).toBe(false);
  });
});
