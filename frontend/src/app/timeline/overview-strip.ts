// The whole run in one strip, and on it the window that the boxes show. Click or drag to go there, or use it as a slider.
// Lives as long as the timeline; owns the picture only.
import {
  afterRenderEffect,
  Component,
  computed,
  type ElementRef,
  inject,
  input,
  output,
  viewChild,
} from '@angular/core';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { Gaps } from '../state/gaps';
import { Mutes } from '../state/mutes';
import { readOfRun } from '../state/run-read';
import { countText } from '../ui/number-text';
import { observedWidth } from '../ui/observed-width';
import { beginAt, type ExecutionWindow, windowOnStrip } from './execution-window';
import { bucketsFor, overviewBars, paintBars } from './overview-bars';
import { gapsOnStrip } from './overview-gaps';

const HEIGHT = 34;

@Component({
  selector: 'tbd-overview-strip',
  template: `
    <div
      #strip
      class="strip"
      [class.held]="held !== null"
      title="All executions. Low and grey: ops; high and blue: functions; magenta: with NaN or ∞. Click or drag to go there."
      (pointerdown)="takeHold($event)"
      (pointermove)="follow($event)"
      (pointerup)="letGo()"
      (pointercancel)="letGo()"
      (wheel)="scrollByWheel($event)"
    >
      <canvas #canvas aria-hidden="true"></canvas>
      @if (read.failure(); as failure) {
        <span class="failed" role="alert">
          No overview: {{ failure }}
          <button type="button" class="link-button" (click)="read.retry()">Retry</button>
        </span>
      }
      @let view = window();
      @if (width()) {
        <div
          class="window"
          role="slider"
          tabindex="0"
          aria-label="Executions in view"
          aria-orientation="horizontal"
          aria-valuemin="0"
          [attr.aria-valuemax]="view.lastBegin()"
          [attr.aria-valuenow]="view.begin()"
          [attr.aria-valuetext]="valueText()"
          [style.left.px]="place().left"
          [style.width.px]="place().width"
          (keydown)="moveByKey($event)"
        ></div>
      }
      @for (gap of gaps(); track gap.left) {
        <i
          class="gap"
          role="img"
          [style.left.px]="gap.left"
          [attr.aria-label]="gap.text"
          [title]="gap.text"
        ></i>
      }
      @if (marker(); as left) {
        <i class="marker" aria-hidden="true" [style.left.px]="left"></i>
      }
    </div>
  `,
  styles: `
    :host {
      display: block;
      flex: none;
      padding: 0 var(--gap);
    }
    .strip {
      position: relative;
      height: ${HEIGHT}px;
      overflow: hidden;
      border-radius: 4px;
      background: var(--raised);
      cursor: pointer;
      touch-action: none;
    }
    canvas {
      display: block;
      width: 100%;
      height: 100%;
    }
    .window {
      position: absolute;
      top: 0;
      bottom: 0;
      border: 2px solid var(--accent);
      border-radius: 4px;
      background: color-mix(in srgb, var(--accent) 12%, transparent);
      cursor: grab;
    }
    .held,
    .held .window {
      cursor: grabbing;
    }
    .window:focus-visible {
      outline-offset: -4px;
    }
    /* Wider than its line, so that a pointer finds it. */
    .gap {
      position: absolute;
      top: 0;
      bottom: 0;
      width: 6px;
      margin-left: -1px;
      border-left: 2px dashed var(--warn);
    }
    .marker {
      position: absolute;
      top: 0;
      width: 2px;
      height: 6px;
      margin-left: -1px;
      background: var(--text);
      pointer-events: none;
    }
    .failed {
      position: absolute;
      inset: 7px 8px auto;
      overflow: hidden;
      color: var(--dim);
      font-size: 12px;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  `,
})
export class OverviewStrip {
  readonly #client = inject(ApiClient);
  readonly #mutes = inject(Mutes);
  readonly #gaps = inject(Gaps);
  readonly #host = inject(Host);

  readonly window = input.required<ExecutionWindow>();
  /** The executions in view; under a filter others are between them. */
  readonly shown = input.required<{ readonly begin: number; readonly end: number }>();
  /** Executions of the run. */
  readonly total = input.required<number>();
  /** The user wants the window to begin at an execution. */
  readonly moved = output<number>();
  /** The execution that is marked. */
  readonly marked = input<number | null>(null);

  private readonly strip = viewChild.required<ElementRef<HTMLElement>>('strip');
  private readonly canvas = viewChild.required<ElementRef<HTMLCanvasElement>>('canvas');
  protected readonly width = observedWidth(() => this.strip());

  protected readonly read = readOfRun({
    question: () => {
      const rules = this.#mutes.rules();
      return this.width() && rules ? { buckets: bucketsFor(this.width()), rules } : null;
    },
    ask: (run, { buckets, rules }, signal) =>
      this.#client.get('/execution/overview', signal, { run, buckets, mute: [...rules] }),
    grows: true,
  });

  readonly #place = computed(() => ({ ...this.shown(), total: this.total() }));
  protected readonly place = computed(() => windowOnStrip(this.#place(), this.width()));
  protected readonly valueText = computed(() => {
    const { begin, end, total } = this.#place();
    return `executions ${countText(begin)} to ${countText(end - 1)} of ${countText(total)}`;
  });
  protected readonly gaps = computed(() =>
    gapsOnStrip(this.#gaps.of('executions'), this.total(), this.width()),
  );
  /** Px of the marked execution, where its box is too narrow to be found. */
  protected readonly marker = computed(() => {
    const marked = this.marked();
    const total = this.total();
    return marked === null || marked >= total ? null : ((marked + 0.5) / total) * this.width();
  });

  /** Px between the pointer and the window's left edge while it is dragged. */
  protected held: number | null = null;

  constructor() {
    afterRenderEffect(() => {
      // A theme changes the colours; they are read once its class is set.
      this.#host.dark();
      const overview = this.read.answer();
      const width = this.width();
      const canvas = this.canvas().nativeElement;
      if (!width) return;
      const style = getComputedStyle(canvas);
      const size = { width, height: HEIGHT, pixelRatio: devicePixelRatio };
      paintBars(canvas, overview ? overviewBars(overview, width) : [], size, {
        op: style.getPropertyValue('--neg'),
        function: style.getPropertyValue('--fn'),
        bad: style.getPropertyValue('--bad'),
      });
    });
  }

  protected takeHold(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    const strip = this.strip().nativeElement;
    strip.setPointerCapture(event.pointerId);
    const { left, width } = this.place();
    const pointer = event.clientX - strip.getBoundingClientRect().left;
    const inside = pointer >= left && pointer <= left + width;
    this.held = inside ? pointer - left : width / 2;
    if (!inside) this.follow(event);
  }

  protected follow(event: PointerEvent): void {
    if (this.held === null) return;
    const strip = this.strip().nativeElement.getBoundingClientRect();
    const left = event.clientX - strip.left - this.held;
    this.moved.emit(beginAt(left, this.#place(), this.width()));
  }

  protected letGo(): void {
    this.held = null;
  }

  protected scrollByWheel(event: WheelEvent): void {
    if (event.ctrlKey) return;
    event.preventDefault();
    const forward = (event.deltaX || event.deltaY) > 0;
    this.window().moveBy(Math.ceil(this.window().capacity() / 4) * (forward ? 1 : -1));
  }

  protected moveByKey(event: KeyboardEvent): void {
    const view = this.window();
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowDown':
        view.moveBy(-1);
        break;
      case 'ArrowRight':
      case 'ArrowUp':
        view.moveBy(1);
        break;
      case 'PageUp':
        view.page(-1);
        break;
      case 'PageDown':
        view.page(1);
        break;
      case 'Home':
        view.moveTo(0);
        break;
      case 'End':
        view.moveTo(view.lastBegin());
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}
