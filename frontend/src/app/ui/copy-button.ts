// Copies a text, and says so for a moment.
import { Component, DestroyRef, inject, input, signal } from '@angular/core';
import { copyText } from './clipboard';

const CONFIRMED_MS = 2000;

@Component({
  selector: 'tbd-copy-button',
  template: `
    <button
      type="button"
      class="icon-button"
      [attr.aria-label]="copied() ? 'Copied' : 'Copy ' + what()"
      [title]="copied() ? 'Copied' : 'Copy ' + what()"
      (click)="copy()"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        @if (copied()) {
          <path d="m3 8.5 3.2 3.2L13 5" />
        } @else {
          <path d="M6 6h7v7H6zM10 6V3H3v7h3" />
        }
      </svg>
    </button>
    <span class="visually-hidden" role="status">{{ copied() ? 'Copied' : '' }}</span>
  `,
  styles: `
    :host {
      display: inline-flex;
      position: relative;
    }
  `,
})
export class CopyButton {
  readonly text = input.required<string>();
  /** What it is, for the button's name: "the path". */
  readonly what = input.required<string>();

  protected readonly copied = signal(false);
  #confirmation: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#confirmation));
  }

  protected async copy(): Promise<void> {
    if (!(await copyText(this.text()))) return;
    this.copied.set(true);
    clearTimeout(this.#confirmation);
    this.#confirmation = setTimeout(() => this.copied.set(false), CONFIRMED_MS);
  }
}
