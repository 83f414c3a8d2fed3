// A button with a panel below or above it. The panel is made when it opens and gone when it closes: Escape, a click or the focus
// elsewhere close it.
//
//   <tbd-dropdown label="Run"> <span dropdown-button>…</span> <ng-template #panel>…panel…</ng-template> </tbd-dropdown>
import { NgTemplateOutlet } from '@angular/common';
import {
  afterRenderEffect,
  Component,
  contentChild,
  ElementRef,
  inject,
  input,
  signal,
  type TemplateRef,
  viewChild,
} from '@angular/core';
import { bindKeys } from './keyboard';
import { floatBeside, HIGHEST_PX } from './placement';

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
      <div #shownPanel class="panel" popover="manual">
        <ng-container [ngTemplateOutlet]="panel()" />
      </div>
    }
  `,
  host: {
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
      width: max-content;
      margin: 0;
      padding: 0;
      overflow: auto;
      border: 1px solid var(--line);
      border-radius: 8px;
      background: var(--bg);
      color: var(--text);
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
  /** The panel is no higher, in px. */
  readonly highest = input(HIGHEST_PX);
  protected readonly panel = contentChild.required<TemplateRef<void>>('panel');
  protected readonly open = signal(false);
  private readonly button = viewChild.required<ElementRef<HTMLButtonElement>>('button');

  private readonly shownPanel = viewChild<ElementRef<HTMLElement>>('shownPanel');

  constructor() {
    bindKeys([{ key: 'Escape', effect: 'Close a list', run: () => this.open() && this.close() }]);
    afterRenderEffect(() => this.#placePanel());
  }

  /** Opens the panel, and puts the focus on its button. */
  show(): void {
    this.open.set(true);
    this.button().nativeElement.focus();
  }

  /** Closes the panel and gives the focus back to the button. */
  close(): void {
    this.open.set(false);
    this.button().nativeElement.focus();
  }

  #placePanel(): void {
    const panel = this.shownPanel()?.nativeElement;
    if (!panel) return;
    const button = this.#element.getBoundingClientRect();
    panel.style.minWidth = `${button.width}px`;
    floatBeside(panel, button, this.highest());
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
