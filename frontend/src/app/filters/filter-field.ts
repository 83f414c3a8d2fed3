// The text of a filter, with a button that reads it as a regular expression. It owns nothing.
import { Component, ElementRef, input, output, viewChild } from '@angular/core';
import type { FilterText } from './filter-text';

@Component({
  selector: 'tbd-filter-field',
  template: `
    <input
      #field
      class="field"
      type="text"
      maxlength="1000"
      spellcheck="false"
      autocomplete="off"
      [attr.aria-label]="label()"
      [attr.aria-invalid]="invalid()"
      [placeholder]="placeholder()"
      [value]="text().text()"
      (input)="text().type(field.value)"
      (keydown.escape)="clearOrLeave($event)"
      (keydown.enter)="applyAndLeave($event)"
      (keydown.arrowdown)="applyAndLeave($event)"
    />
    <button
      type="button"
      class="pattern"
      aria-label="Regular expression"
      title="Regular expression: the text is a pattern, such as ^Mat|Log$"
      [attr.aria-pressed]="regex()"
      (click)="regexToggled.emit()"
    >
      .*
    </button>
  `,
  styles: `
    :host {
      position: relative;
      display: block;
      flex: 1;
      min-width: 0;
    }
    .field {
      width: 100%;
      padding-right: 32px;
      text-overflow: ellipsis;
    }
    .field[aria-invalid='true'] {
      border-color: var(--warn);
    }
    .pattern {
      position: absolute;
      top: 3px;
      right: 3px;
      width: 26px;
      height: 20px;
      padding: 0;
      border: 1px solid transparent;
      border-radius: 4px;
      background: none;
      color: var(--dim);
      font: 12px/16px var(--mono);
      cursor: pointer;
    }
    .pattern:hover {
      background: var(--chip);
    }
    .pattern[aria-pressed='true'] {
      border-color: var(--fn);
      background: var(--fn-soft);
      color: var(--fn);
      font-weight: 700;
    }
  `,
})
export class FilterField {
  readonly text = input.required<FilterText>();
  readonly regex = input.required<boolean>();
  readonly label = input.required<string>();
  readonly placeholder = input('');
  /** The text is no pattern. */
  readonly invalid = input(false);
  readonly regexToggled = output();
  /** The user goes on to what was found. */
  readonly left = output();

  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');

  focus(): void {
    const field = this.field().nativeElement;
    field.focus();
    field.select();
  }

  /** Escape empties the field first; the page's own Escape then leaves it. */
  protected clearOrLeave(event: Event): void {
    if (this.text().text() === '') return;
    event.preventDefault();
    event.stopPropagation();
    this.text().clear();
  }

  protected applyAndLeave(event: Event): void {
    event.preventDefault();
    this.text().apply();
    this.left.emit();
  }
}
