// This plugin's part of the browser's address, the parent's where it can be reached. Lives as long as the frame.
// `entries` is what counts: it holds even where the address refuses to be written.
import { type Signal, signal } from '@angular/core';
import {
  applyChanges,
  type HashChanges,
  type HashEntries,
  readEntries,
  showsThisPlugin,
  writeEntries,
} from './hash-entries';

/** Browsers refuse more than some 200 address changes in 30 s, which a held arrow key would reach. */
const REPLACE_DELAY_MS = 200;

export class HostHash {
  readonly #entries;
  readonly entries: Signal<HashEntries>;
  /** What the address held when it was last read or written. */
  #inAddress: HashEntries;
  /** Whether another plugin's tab has been shown since the address was last followed. */
  #wasLeft = false;
  #pendingReplace: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly window: Window) {
    this.#inAddress = readEntries(window.location.hash);
    this.#entries = signal(this.#inAddress);
    this.entries = this.#entries.asReadonly();
    window.addEventListener('hashchange', this.#follow);
    window.addEventListener('popstate', this.#follow);
  }

  /** Changes entries in a new history step: Back returns to those before. */
  push(changes: HashChanges): void {
    this.#writePendingReplace();
    if (this.#change(changes)) this.#write('pushState');
  }

  /** Changes entries of the present history step. */
  replace(changes: HashChanges): void {
    if (!this.#change(changes)) return;
    this.#pendingReplace ??= setTimeout(() => this.#writePendingReplace(), REPLACE_DELAY_MS);
  }

  back(): void {
    this.#writePendingReplace();
    this.window.history.back();
  }

  forward(): void {
    this.#writePendingReplace();
    this.window.history.forward();
  }

  /** The address that shows the present view. */
  link(): string {
    return this.#address();
  }

  dispose(): void {
    this.#writePendingReplace();
    this.window.removeEventListener('hashchange', this.#follow);
    this.window.removeEventListener('popstate', this.#follow);
  }

  readonly #follow = (): void => {
    const hash = this.window.location.hash;
    if (!showsThisPlugin(hash)) {
      this.#wasLeft = true;
      return;
    }
    const returns = this.#wasLeft;
    this.#wasLeft = false;
    const entries = readEntries(hash);
    // TensorBoard writes the address anew without meaning another view; a change that waits to be written outlives that.
    if (sameEntries(entries, this.#inAddress)) return;
    this.#dropPendingReplace();
    this.#inAddress = entries;
    // Where TensorBoard has dropped the entries meanwhile, the view that was left is shown again; else the user asks for none.
    if (returns && entries.size === 0 && this.#entries().size > 0) this.#write('replaceState');
    else this.#entries.set(entries);
  };

  /** False where nothing changes. */
  #change(changes: HashChanges): boolean {
    const entries = this.#entries();
    if (Object.entries(changes).every(([key, value]) => (entries.get(key) ?? null) === value)) {
      return false;
    }
    this.#entries.set(applyChanges(entries, changes));
    return true;
  }

  #dropPendingReplace(): boolean {
    if (this.#pendingReplace === null) return false;
    clearTimeout(this.#pendingReplace);
    this.#pendingReplace = null;
    return true;
  }

  #writePendingReplace(): void {
    if (this.#dropPendingReplace()) this.#write('replaceState');
  }

  #write(method: 'pushState' | 'replaceState'): void {
    try {
      // Another plugin's tab is shown: its address is not ours to write.
      if (!showsThisPlugin(this.window.location.hash)) return;
      const history = this.window.history;
      // The whole address, since a bare "#..." would be resolved against the document's <base>.
      history[method](history.state, '', this.#address());
      this.#inAddress = this.#entries();
    } catch {
      // Refused (too many, or a sandboxed frame): the view itself goes on.
    }
  }

  #address(): string {
    const { href, hash } = this.window.location;
    const bare = href.includes('#') ? href.slice(0, href.indexOf('#')) : href;
    return bare + writeEntries(hash, this.#entries());
  }
}

function sameEntries(a: HashEntries, b: HashEntries): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
