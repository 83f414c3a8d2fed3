// Which kinds of patterns the user has switched off; kept in the browser for each logdir. Lives as long as the page.
import { inject, Service, signal } from '@angular/core';
import { remember, remembered } from '../host/remembered';
import { Logdir } from '../state/logdir';

@Service()
export class PatternSwitches {
  /** Where they are kept; null until the logdir is known. */
  #key: string | null = null;
  readonly #off = signal<ReadonlySet<string>>(new Set());

  constructor() {
    void inject(Logdir).told.then((logdir) => this.#keepAt(logdir));
  }

  isOn(kind: string): boolean {
    return !this.#off().has(kind);
  }

  turn(kind: string, on: boolean): void {
    const off = new Set(this.#off());
    if (on) off.delete(kind);
    else off.add(kind);
    this.#off.set(off);
    if (this.#key !== null) remember(this.#key, [...off].join(' '));
  }

  #keepAt(logdir: string): void {
    this.#key = `patterns off ${logdir}`;
    const kept = remembered(this.#key)?.split(' ').filter(Boolean) ?? [];
    this.#off.set(new Set([...this.#off(), ...kept]));
  }
}
