// The overlay that lists all keys; shown by "?".
import { Component, computed, ElementRef, inject, viewChild } from '@angular/core';
import { bindKeys, Keyboard } from '../ui/keyboard';
import { partsOf } from './key-parts';

@Component({
  selector: 'tbd-key-list',
  template: `
    <dialog #dialog aria-labelledby="keys-heading">
      <header>
        <h2 id="keys-heading">Keys</h2>
        <button type="button" class="button" (click)="hide()">Close</button>
      </header>
      <div class="parts">
        @for (part of parts(); track part.pane) {
          <section>
            <h3>{{ part.pane ? 'In ' + part.pane : 'Anywhere' }}</h3>
            <dl>
              @for (line of part.lines; track line.effect) {
                <dt>
                  @for (key of line.keys; track key) {
                    <kbd>{{ key }}</kbd>
                  }
                </dt>
                <dd>{{ line.effect }}</dd>
              }
              @if (!part.pane) {
                <dt><kbd>Tab</kbd></dt>
                <dd>Next pane or control; on a splitter, arrow keys resize</dd>
              }
            </dl>
          </section>
        }
      </div>
    </dialog>
  `,
  styles: `
    dialog {
      width: 720px;
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
    .parts {
      columns: 2 280px;
      column-gap: 32px;
    }
    section {
      break-inside: avoid;
      padding-bottom: 14px;
    }
    h3 {
      margin-bottom: 6px;
      color: var(--dim);
      font-size: 12px;
      font-weight: 600;
    }
    dl {
      display: grid;
      grid-template-columns: 72px 1fr;
      gap: 5px 12px;
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

  protected readonly parts = computed(() => partsOf(this.#keyboard.all()));

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
