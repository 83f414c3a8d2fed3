// What was seen of a cause, and what helps: of each the first lines, and all when asked for. Owns whether all is shown.
import {
  afterRenderEffect,
  Component,
  ElementRef,
  input,
  linkedSignal,
  signal,
  viewChild,
  viewChildren,
} from '@angular/core';
import { observedWidth } from '../ui/observed-width';

@Component({
  selector: 'tbd-cause-text',
  template: `
    <div #box [class.cut]="!whole()">
      <p #text>{{ evidence() }}</p>
      @if (advice()) {
        <p #text class="advice"><b>What helps:</b> {{ advice() }}</p>
      }
    </div>
    @if (whole() || isCut()) {
      <button
        type="button"
        class="link-button"
        [attr.aria-expanded]="whole()"
        [attr.aria-label]="(whole() ? 'Less' : 'More') + ' evidence and advice'"
        (click)="whole.set(!whole())"
      >
        {{ whole() ? 'less' : 'more' }}
      </button>
    }
  `,
  styles: `
    p + p {
      margin-top: 4px;
    }
    .cut p {
      display: -webkit-box;
      overflow: hidden;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 5;
    }
    .cut .advice {
      -webkit-line-clamp: 2;
    }
  `,
})
export class CauseText {
  readonly evidence = input.required<string>();
  readonly advice = input.required<string>();

  private readonly box = viewChild.required<ElementRef<HTMLElement>>('box');
  private readonly texts = viewChildren<ElementRef<HTMLElement>>('text');
  readonly #width = observedWidth(this.box);

  protected readonly whole = linkedSignal({ source: this.evidence, computation: () => false });
  protected readonly isCut = signal(false);

  constructor() {
    afterRenderEffect(() => {
      this.#width();
      this.evidence();
      this.advice();
      if (this.whole()) return;
      const elements = this.texts().map(({ nativeElement }) => nativeElement);
      this.isCut.set(elements.some((text) => text.scrollHeight > text.clientHeight));
    });
  }
}
