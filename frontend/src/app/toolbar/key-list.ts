// The overlay that lists all keys; shown by "?".
import { Component, computed, ElementRef, inject, viewChild } from '@angular/core';
import { bindKeys, Keyboard } from '../ui/keyboard';

const SYMBOLS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
};

@Component({
  selector: 'tbd-key-list',
  template: `
    <dialog #dialog aria-labelledby="keys-heading">
      <header>
        <h2 id="keys-heading">Keys</h2>
        <button type="button" class="button" (click)="hide()">Close</button>
      </header>
      <dl>
        @for (line of lines(); track line.effect) {
          <dt>
            @for (key of line.keys; track key) {
              <kbd>{{ key }}</kbd>
            }
          </dt>
          <dd>{{ line.effect }}</dd>
        }
        <dt><kbd>Tab</kbd></dt>
        <dd>Next pane or control; on a splitter, arrow keys resize</dd>
      </dl>
    </dialog>
  `,
  styles: `
    dialog {
      width: 440px;
      max-width: calc(100vw - 24px);
      padding: 12px 20px 20px;
      border: 1px solid var(--line);
      border-radius: 10px;
      background: var(--bg);
      color: var(--text);
      box-shadow: var(--shadow);
    }
    ::backdrop {
      background: rgb(0 0 0 / 30%);
    }
    header {
      display: flex;
      align-items: center;
      justify-content: space-between;
      margin-bottom: 8px;
    }
    h2 {
      font-size: 15px;
      font-weight: 600;
    }
    dl {
      display: grid;
      grid-template-columns: auto 1fr;
      gap: 6px 16px;
      align-items: baseline;
    }
    dt {
      display: flex;
      gap: 4px;
    }
  `,
})
export class KeyList {
  readonly #keyboard = inject(Keyboard);
  private readonly dialog = viewChild.required<ElementRef<HTMLDialogElement>>('dialog');

  /** Keys of one effect share a line. */
  protected readonly lines = computed(() => {
    const keysOf = new Map<string, string[]>();
    for (const { key, effect } of [...this.#keyboard.all()].reverse()) {
      const keys = keysOf.get(effect) ?? [];
      const symbol = SYMBOLS[key] ?? key;
      if (!keys.includes(symbol)) keysOf.set(effect, [...keys, symbol]);
    }
    return [...keysOf].map(([effect, keys]) => ({ effect, keys }));
  });

  constructor() {
    bindKeys([{ key: '?', effect: 'List the keys', run: () => this.show() }]);
  }

  show(): void {
    if (!this.dialog().nativeElement.open) this.dialog().nativeElement.showModal();
  }

  protected hide(): void {
    this.dialog().nativeElement.close();
  }
}
