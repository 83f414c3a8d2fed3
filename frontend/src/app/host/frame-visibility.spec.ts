import { beforeEach, describe, expect, it } from 'vitest';
import { FrameVisibility } from './frame-visibility';

/** Observers as the parent's realm has them; the test tells what they see. */
class FakeObserver {
  watched: Element | null = null;
  static readonly made: FakeObserver[] = [];
  constructor(readonly tell: (entries: object[]) => void) {
    FakeObserver.made.push(this);
  }
  observe(element: Element): void {
    this.watched = element;
  }
  disconnect(): void {
    this.watched = null;
  }
}

const observers = {
  IntersectionObserver: class extends FakeObserver {},
  ResizeObserver: class extends FakeObserver {},
};

/** What the frame's visibility made of one of the two kinds. */
function made(kind: keyof typeof observers): FakeObserver {
  const found = FakeObserver.made.findLast((one) => one instanceof observers[kind]);
  if (!found) throw new Error(`No ${kind} was made`);
  return found;
}

function fakeFrame(visibilityState = 'visible') {
  const frameDocument = Object.assign(new EventTarget(), {
    visibilityState,
    documentElement: document.createElement('html'),
  });
  const frameElement = document.createElement('iframe');
  return { document: frameDocument, frameElement, ...observers } as unknown as Window;
}

describe('FrameVisibility', () => {
  const parent = observers as unknown as Window;
  let frame: Window;

  beforeEach(() => (frame = fakeFrame()));

  it('watches the frame element from the parent', () => {
    const visibility = new FrameVisibility(frame, parent);
    expect(made('IntersectionObserver').watched).toBe(frame.frameElement);
    expect(visibility.visible()).toBe(true);
    made('IntersectionObserver').tell([{ isIntersecting: false }]);
    expect(visibility.visible()).toBe(false);
    made('IntersectionObserver').tell([{ isIntersecting: true }]);
    expect(visibility.visible()).toBe(true);
    visibility.dispose();
    expect(made('IntersectionObserver').watched).toBeNull();
    expect(made('ResizeObserver').watched).toBeNull();
  });

  it('is not visible while TensorBoard takes its height', () => {
    const visibility = new FrameVisibility(frame, parent);
    made('ResizeObserver').tell([{ contentRect: { width: 1600, height: 0 } }]);
    expect(visibility.visible()).toBe(false);
    made('ResizeObserver').tell([{ contentRect: { width: 1600, height: 900 } }]);
    expect(visibility.visible()).toBe(true);
  });

  it('watches its own document below a parent of another origin', () => {
    new FrameVisibility(frame, null);
    expect(made('IntersectionObserver').watched).toBe(frame.document.documentElement);
  });

  it('is not visible while the browser tab is hidden', () => {
    expect(new FrameVisibility(fakeFrame('hidden'), parent).visible()).toBe(false);
  });
});
