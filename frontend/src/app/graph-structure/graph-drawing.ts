// Draws boxes as HTML over edges as SVG, once the layout has placed them. Owns where it is scrolled and how large it is drawn.
import {
  afterNextRender,
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  DOCUMENT,
  ElementRef,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChild,
  viewChildren,
} from '@angular/core';
import type { SelectedEvent } from '../state/view';
import { bindKeysWithin } from '../ui/keyboard';
import { boxInDirection, type Direction } from './arrow-moves';
import type { Box, Drawing, Edge, Rest } from './drawing';
import { layOut, type Placement, type Rect, type Size } from './layout';
import { OpBox } from './op-box';
import { RestList, restSize } from './rest-list';
import { beginOfView, fittingZoom, neighborhoodOf, type Span, zoomUnasked } from './sight';

const LEAST_ZOOM = 0.25;
const MOST_ZOOM = 2;
const LABEL_CHARACTER_PX = 6.7;
const WIDEST_LABEL_PX = 200;

interface Placed {
  readonly drawing: Drawing;
  readonly placement: Placement;
  /** Around the focus and its neighbours. */
  readonly neighborhood: Rect | null;
  readonly boxes: readonly { readonly box: Box; readonly rect: Rect }[];
  readonly rests: readonly { readonly rest: Rest; readonly rect: Rect }[];
  readonly edges: readonly {
    readonly edge: Edge;
    readonly path: string;
    readonly label: { x: number; y: number };
  }[];
}

@Component({
  selector: 'tbd-graph-drawing',
  imports: [OpBox, RestList],
  templateUrl: './graph-drawing.html',
  styleUrl: './graph-drawing.css',
})
export class GraphDrawing {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #document = inject(DOCUMENT);

  readonly drawing = input.required<Drawing>();
  /** Whether what is drawn is not, or not yet, what is selected. */
  readonly stale = input(false);
  readonly chosen = output<SelectedEvent>();
  /** The user wants more consumers listed. */
  readonly grow = output();

  private readonly view = viewChild.required<ElementRef<HTMLElement>>('view');
  private readonly sheet = viewChild<ElementRef<HTMLElement>>('sheet');
  private readonly measured = viewChildren<OpBox, ElementRef<HTMLElement>>('measured', {
    read: ElementRef,
  });

  readonly #viewSize = signal<Size>({ width: 0, height: 0 });
  protected readonly placed = signal<Placed | null>(null);
  protected readonly layoutFailed = signal(false);
  /** New boxes are made out of sight first: their texts decide their sizes. */
  protected readonly measuring = computed(
    () => this.placed()?.drawing !== this.drawing() && !this.layoutFailed(),
  );

  readonly #chosenZoom = signal<number | null>(null);
  readonly #zoomUnasked = computed(() => {
    const placed = this.placed();
    const view = this.#viewSize();
    if (!placed || !view.width) return 1;
    return zoomUnasked(view, placed.placement, placed.neighborhood ?? placed.placement);
  });
  protected readonly zoom = computed(() => this.#chosenZoom() ?? this.#zoomUnasked());
  protected readonly zoomText = computed(() => `${Math.round(this.zoom() * 100)} %`);

  /** Where the focus was drawn last, in px of the sheet, and where the sheet began. */
  #last: { key: string; x: number; y: number } | null = null;
  #refocus = false;
  #drag: { x: number; y: number } | null = null;

  constructor() {
    bindKeysWithin('Graph Structure', [
      { key: 'ArrowUp', effect: 'To an input', run: () => this.#move('up') },
      { key: 'ArrowDown', effect: 'To a consumer', run: () => this.#move('down') },
      { key: 'ArrowLeft', effect: 'To the box on the left', run: () => this.#move('left') },
      { key: 'ArrowRight', effect: 'To the box on the right', run: () => this.#move('right') },
    ]);
    const destroyed = inject(DestroyRef);
    afterNextRender(() => this.#observeSurroundings(destroyed));
    afterRenderEffect(() => this.#placeWhenMeasured());
    afterRenderEffect(() => this.#showFocus());
  }

  protected choose(event: SelectedEvent): void {
    this.#refocus = true;
    this.chosen.emit(event);
  }

  protected zoomBy(factor: number): void {
    this.#chosenZoom.set(Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, this.zoom() * factor)));
  }

  protected fitAll(): void {
    const placed = this.placed();
    if (!placed) return;
    this.#chosenZoom.set(Math.max(LEAST_ZOOM, fittingZoom(this.#viewSize(), placed.placement)));
  }

  protected zoomByWheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }

  protected startPan(event: PointerEvent): void {
    const onBox =
      event.target instanceof Element && event.target.closest('[data-key], tbd-rest-list');
    if (event.button !== 0 || event.pointerType !== 'mouse' || onBox) return;
    this.#drag = { x: event.clientX, y: event.clientY };
    this.view().nativeElement.setPointerCapture(event.pointerId);
  }

  protected pan(event: PointerEvent): void {
    if (!this.#drag) return;
    const view = this.view().nativeElement;
    view.scrollLeft -= event.clientX - this.#drag.x;
    view.scrollTop -= event.clientY - this.#drag.y;
    this.#drag = { x: event.clientX, y: event.clientY };
  }

  protected endPan(): void {
    this.#drag = null;
  }

  protected placeAgain(): void {
    this.layoutFailed.set(false);
  }

  /** A pane that is resized, or that comes into view, and a font that arrives change sizes. */
  #observeSurroundings(destroyed: DestroyRef): void {
    const view = this.view().nativeElement;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = view;
      if (width && height) this.#viewSize.set({ width, height });
    };
    const measureBoxes = () => {
      this.placed.update((placed) => placed && { ...placed, drawing: { ...placed.drawing } });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(view);
    measure();
    this.#document.fonts.addEventListener('loadingdone', measureBoxes);
    destroyed.onDestroy(() => {
      observer.disconnect();
      this.#document.fonts.removeEventListener('loadingdone', measureBoxes);
    });
  }

  #placeWhenMeasured(): void {
    const drawing = this.drawing();
    const elements = this.measured();
    const visible = this.#viewSize().width > 0;
    if (!this.measuring() || !visible || elements.length !== drawing.boxes.length) return;
    const sizes = new Map<string, Size>();
    elements.forEach(({ nativeElement }, index) => {
      // Rounded up: a box that lacks a part of a pixel wraps its text.
      const { width, height } = nativeElement.getBoundingClientRect();
      const size = { width: Math.ceil(width) + 1, height: Math.ceil(height) };
      sizes.set(drawing.boxes[index]?.key ?? '', size);
    });
    for (const rest of drawing.rests) sizes.set(rest.key, restSize(rest));
    layOut(drawing, sizes, labelWidth).then(
      (placement) => {
        if (untracked(this.drawing) === drawing) this.placed.set(joined(drawing, placement));
      },
      () => this.layoutFailed.set(true),
    );
  }

  /** A new focus is centred, as far as its neighbours fit beside it; else it stays where it is on the screen, whatever was drawn around it. */
  #showFocus(): void {
    const placed = this.placed();
    const sheet = this.sheet()?.nativeElement;
    const view = this.view().nativeElement;
    const { width, height } = this.#viewSize();
    const zoom = this.zoom();
    const rect = placed?.placement.boxes.get(placed.drawing.focus);
    if (!placed?.neighborhood || !sheet || !rect) return;
    const key = `${placed.drawing.focus} ${width} ${height}`;
    const x = sheet.offsetLeft + (rect.x + rect.width / 2) * zoom;
    const y = sheet.offsetTop + (rect.y + rect.height / 2) * zoom;
    if (this.#last?.key === key) {
      view.scrollLeft += x - this.#last.x;
      view.scrollTop += y - this.#last.y;
    } else {
      const near = placed.neighborhood;
      const across = (one: Rect) => span(sheet.offsetLeft + one.x * zoom, one.width * zoom);
      const down = (one: Rect) => span(sheet.offsetTop + one.y * zoom, one.height * zoom);
      view.scrollLeft = beginOfView(width, across(rect), across(near));
      view.scrollTop = beginOfView(height, down(rect), down(near));
    }
    this.#last = { key, x, y };
    const focusIsLost = this.#document.activeElement === this.#document.body;
    if (this.#refocus && focusIsLost) this.#focusBox(placed.drawing.focus);
    this.#refocus = false;
  }

  #move(direction: Direction): boolean {
    const placed = this.placed();
    const from = this.#document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset['key'];
    if (!placed || from === undefined) return false;
    const next = boxInDirection(direction, from, placed.placement, placed.drawing.edges);
    if (next !== null) this.#focusBox(next);
    return true;
  }

  #focusBox(key: string): void {
    const boxes = this.#element.querySelectorAll<HTMLElement>('.sheet [data-key]');
    Array.from(boxes)
      .find((box) => box.dataset['key'] === key)
      ?.focus();
  }
}

function span(begin: number, length: number): Span {
  return { begin, end: begin + length };
}

function labelWidth(edge: Edge): number {
  const characters = edge.label.length + (edge.bad ? edge.bad.length + 3 : 0);
  return Math.min(characters * LABEL_CHARACTER_PX, WIDEST_LABEL_PX);
}

/** Boxes in the order of the tab key: from top to bottom, then from left to right. */
function joined(drawing: Drawing, placement: Placement): Placed {
  const rectOf = (key: string) => placement.boxes.get(key) as Rect;
  return {
    drawing,
    placement,
    neighborhood: neighborhoodOf(drawing.focus, drawing.edges, placement.boxes),
    boxes: drawing.boxes
      .map((box) => ({ box, rect: rectOf(box.key) }))
      .sort(
        (a, b) =>
          a.rect.y + a.rect.height / 2 - b.rect.y - b.rect.height / 2 || a.rect.x - b.rect.x,
      ),
    rests: drawing.rests.map((rest) => ({ rest, rect: rectOf(rest.key) })),
    edges: drawing.edges.flatMap((edge) => {
      const shape = placement.edges.get(edge.key);
      return shape ? [{ edge, ...shape }] : [];
    }),
  };
}
