// What the surrounding TensorBoard offers, in one place. Made at the first injection; lives as long as the frame.
import { DestroyRef, DOCUMENT, effect, inject, Service } from '@angular/core';
import { takeIdleKeyboard } from './frame-focus';
import { FrameVisibility } from './frame-visibility';
import { HostHash } from './host-hash';
import { HostMessages } from './host-messages';
import { reachableParent } from './parent-window';
import { Theme } from './theme';

@Service()
export class Host {
  readonly #frame = inject(DOCUMENT).defaultView as Window;
  readonly #parent = reachableParent(this.#frame);
  readonly #theme = new Theme(this.#frame, this.#parent);
  readonly #visibility = new FrameVisibility(this.#frame, this.#parent);
  // A message needs no readable parent, only one.
  readonly #messages = new HostMessages(
    this.#frame.parent === this.#frame ? null : this.#frame.parent,
  );

  /** This plugin's entries of the address, the parent's where it can be reached. */
  readonly hash = new HostHash(this.#parent ?? this.#frame);
  readonly dark = this.#theme.dark;
  readonly visible = this.#visibility.visible;
  readonly reloads = this.#messages.reloads;

  constructor() {
    effect(() => {
      if (this.visible()) takeIdleKeyboard(this.#frame, this.#parent);
    });
    inject(DestroyRef).onDestroy(() => {
      this.#theme.dispose();
      this.#visibility.dispose();
      this.#messages.dispose();
      this.hash.dispose();
    });
  }
}
