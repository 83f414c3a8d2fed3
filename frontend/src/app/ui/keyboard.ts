// Keys of the page and who answers them. Bindings live as long as the component that registers them.
import { DestroyRef, DOCUMENT, ElementRef, inject, Service, signal } from '@angular/core';

export interface KeyBinding {
  /** KeyboardEvent.key: "n", "ArrowDown", "?", "Escape". */
  readonly key: string;
  /** What the key does, for the list of keys: "Next alert". */
  readonly effect: string;
  /** Returns false where it has nothing to do: the next binding is asked. */
  readonly run: (event: KeyboardEvent) => unknown;
  /** Answers only while the focus is within this element; without it, anywhere on the page. */
  readonly within?: Element;
  /** The heading of the pane where it answers, for the list of keys; without it, the whole page. */
  readonly pane?: string;
}

/** The bindings, the latest first, since what opened last (an overlay, a maximised pane) is in front. */
export class KeyBindings {
  readonly #bindings = signal<readonly KeyBinding[]>([]);
  readonly all = this.#bindings.asReadonly();

  /** Adds bindings; returns what takes them away again. */
  register(bindings: readonly KeyBinding[]): () => void {
    this.#bindings.update((all) => [...[...bindings].reverse(), ...all]);
    return () => this.#bindings.update((all) => all.filter((one) => !bindings.includes(one)));
  }

  /** Runs the binding of a pressed key, if any. */
  readonly answer = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target && takesText(target)) {
      // Escape leaves the field; all other keys belong to it.
      if (event.key === 'Escape' && target instanceof HTMLElement) target.blur();
      return;
    }
    const bound = this.#bindings().filter(({ key }) => key === event.key);
    // A pane's own keys come before those of the page.
    const asked = [
      ...bound.filter(({ within }) => within?.contains(target)),
      ...bound.filter(({ within }) => !within),
    ];
    if (asked.some(({ run }) => run(event) !== false)) event.preventDefault();
  };
}

/** Whether typing in the element writes text, or picks an option. */
function takesText(element: Element): boolean {
  if (element.closest('[contenteditable]:not([contenteditable="false"])')) return true;
  if (element instanceof HTMLInputElement) {
    return !['button', 'checkbox', 'radio', 'submit'].includes(element.type);
  }
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
}

@Service()
export class Keyboard extends KeyBindings {
  constructor() {
    super();
    const document = inject(DOCUMENT);
    document.addEventListener('keydown', this.answer);
    inject(DestroyRef).onDestroy(() => document.removeEventListener('keydown', this.answer));
  }
}

/** Registers keys of the whole page for as long as the component being made lives. */
export function bindKeys(bindings: readonly KeyBinding[]): void {
  inject(DestroyRef).onDestroy(inject(Keyboard).register(bindings));
}

/** Registers keys that answer only while the focus is inside the component being made, a part of that pane. */
export function bindKeysWithin(
  pane: string,
  bindings: readonly Omit<KeyBinding, 'within' | 'pane'>[],
): void {
  const within = inject<ElementRef<Element>>(ElementRef).nativeElement;
  bindKeys(bindings.map((binding) => ({ ...binding, within, pane })));
}
