// A button with a panel below it. The panel is made when it opens and gone when it closes: Escape, a click or the focus
// elsewhere close it.
//
//   <tbd-dropdown label="Run"> <span dropdown-button>…</span> <ng-template #panel>…panel…</ng-template> </tbd-dropdown>
import { NgTemplateOutlet } from '@angular/common';
import {
  Component,
  contentChild,
  ElementRef,
  inject,
  input,
  signal,
  type TemplateRef,
  viewChild,
} from '@angular/core';

@Component({
  selector: 'tbd-dropdown',
  imports: [NgTemplateOutlet],
  template: `
    <button
      #button
      type="button"
      [class]="looks()"
      [attr.aria-label]="label()"
      [attr.aria-expanded]="open()"
      aria-haspopup="true"
      (click)="open.set(!open())"
    >
      <ng-content select="[dropdown-button]" />
    </button>
    @if (open()) {
      <div class="panel"><ng-container [ngTemplateOutlet]="panel()" /></div>
    }
  `,
  host: {
    '(keydown.escape)': 'closeByKey($event)',
    '(focusout)': 'closeWhenLeft($event)',
    '(document:pointerdown)': 'closeWhenOutside($event)',
  },
  styles: `
    :host {
      position: relative;
      display: inline-flex;
      min-width: 0;
    }
    button {
      min-width: 0;
      cursor: pointer;
    }
    .panel {
      position: absolute;
      top: calc(100% + 4px);
      left: 0;
      z-index: 20;
      width: max-content;
      min-width: 100%;
      max-width: min(640px, calc(100vw - 24px));
      max-height: min(480px, calc(100vh - 64px));
      overflow: auto;
      border: 1px solid var(--line);
      border-radius: 8px;
      background: var(--bg);
      box-shadow: var(--shadow);
    }
  `,
})
export class Dropdown {
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  /** Name of the button where its text does not suffice. */
  readonly label = input<string | null>(null);
  /** Classes of the button. */
  readonly looks = input('button');
  protected readonly panel = contentChild.required<TemplateRef<void>>('panel');
  protected readonly open = signal(false);
  private readonly button = viewChild.required<ElementRef<HTMLButtonElement>>('button');

  /** Closes the panel and gives the focus back to the button. */
  close(): void {
    this.open.set(false);
    this.button().nativeElement.focus();
  }

  protected closeByKey(event: Event): void {
    if (!this.open()) return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
  }

  protected closeWhenLeft(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && !this.#element.contains(next)) this.open.set(false);
  }

  protected closeWhenOutside(event: Event): void {
    if (!(event.target instanceof Node && this.#element.contains(event.target))) {
      this.open.set(false);
    }
  }
}
