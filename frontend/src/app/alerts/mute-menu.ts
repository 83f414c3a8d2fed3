// A menu of what can be muted, beside what it was asked from. Shown by show(), gone with a choice, Escape, a click or the focus
// elsewhere; the focus goes back to where it was. Owns nothing else.
import {
  afterRenderEffect,
  Component,
  DOCUMENT,
  ElementRef,
  inject,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { bindKeys } from '../ui/keyboard';
import { OpName } from '../ui/op-name';
import { floatBeside } from '../ui/placement';
import type { MuteItem } from './mute-items';

interface Shown {
  readonly heading: string;
  readonly items: readonly MuteItem[];
  readonly anchor: DOMRect;
  readonly opener: HTMLElement | null;
}

@Component({
  selector: 'tbd-mute-menu',
  imports: [OpName],
  template: `
    @if (shown(); as menu) {
      <div
        #panel
        class="panel"
        popover="manual"
        role="menu"
        tabindex="-1"
        [attr.aria-label]="menu.heading"
        (keydown)="move($event)"
        (focusout)="closeWhenLeft($event)"
      >
        <p aria-hidden="true">{{ menu.heading }}</p>
        @for (item of menu.items; track item.rule) {
          <button
            type="button"
            role="menuitem"
            tabindex="-1"
            [attr.aria-label]="'Mute ' + item.kind + ' ' + item.text"
            [title]="item.text"
            (click)="choose(item)"
          >
            <span class="kind">{{ item.kind }}</span>
            <tbd-op-name class="text" [name]="item.text" />
            <span class="note">{{ item.note }}</span>
          </button>
        }
      </div>
    }
  `,
  host: { '(document:pointerdown)': 'closeWhenOutside($event)' },
  styles: `
    .panel {
      width: max-content;
      margin: 0;
      padding: 4px;
      overflow: auto;
      border: 1px solid var(--line);
      border-radius: 8px;
      background: var(--bg);
      color: var(--text);
      font-size: 12px;
      box-shadow: var(--shadow);
    }
    p {
      padding: 2px 8px 4px;
      color: var(--dim);
      font-size: 11px;
    }
    button {
      display: grid;
      grid-template-columns: 56px minmax(0, 1fr) auto;
      gap: 8px;
      align-items: baseline;
      width: 100%;
      min-width: 200px;
      padding: 4px 8px;
      border: 0;
      border-radius: 4px;
      background: none;
      color: inherit;
      text-align: left;
      cursor: pointer;
    }
    button:hover,
    button:focus-visible {
      background: var(--chip);
    }
    button:focus-visible {
      outline-offset: -2px;
    }
    .kind,
    .note {
      color: var(--dim);
    }
    .note {
      font-variant-numeric: tabular-nums;
    }
    .text {
      max-width: 320px;
      font-family: var(--mono);
    }
  `,
})
export class MuteMenu {
  readonly #document = inject(DOCUMENT);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  /** A rule was chosen. */
  readonly chosen = output<string>();

  protected readonly shown = signal<Shown | null>(null);
  private readonly panel = viewChild<ElementRef<HTMLElement>>('panel');
  #placed: Shown | null = null;

  constructor() {
    bindKeys([
      { key: 'Escape', effect: 'Close a list', run: () => this.shown() !== null && this.close() },
    ]);
    afterRenderEffect(() => {
      const menu = this.shown();
      const panel = this.panel()?.nativeElement;
      if (!menu || !panel || menu === this.#placed) return;
      this.#placed = menu;
      floatBeside(panel, menu.anchor);
      this.#focus(0);
    });
  }

  show(heading: string, items: readonly MuteItem[], anchor: Element): void {
    const focused = this.#document.activeElement;
    this.shown.set({
      heading,
      items,
      anchor: anchor.getBoundingClientRect(),
      opener: focused instanceof HTMLElement ? focused : null,
    });
  }

  protected choose(item: MuteItem): void {
    this.close();
    this.chosen.emit(item.rule);
  }

  protected close(): void {
    const opener = this.shown()?.opener;
    this.shown.set(null);
    opener?.focus({ preventScroll: true });
  }

  protected move(event: KeyboardEvent): void {
    const buttons = this.#buttons();
    const at = buttons.findIndex((button) => button === this.#document.activeElement);
    const last = buttons.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#focus(Math.max(0, Math.min(to, last)));
  }

  protected closeWhenLeft(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && !this.#element.contains(next)) this.shown.set(null);
  }

  protected closeWhenOutside(event: Event): void {
    if (!(event.target instanceof Node && this.#element.contains(event.target))) {
      this.shown.set(null);
    }
  }

  #focus(index: number): void {
    this.#buttons()[index]?.focus();
  }

  #buttons(): HTMLButtonElement[] {
    return [...(this.panel()?.nativeElement.querySelectorAll('button') ?? [])];
  }
}
