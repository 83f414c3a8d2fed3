// Asks for one thing again and again while somebody looks. Whoever makes it disposes of it.
import { type Signal, signal, untracked } from '@angular/core';
import { errorMessage } from '../api/api-error';

const SHORTEST_MS = 2_000;
const LONGEST_MS = 60_000;
const GROWTH = 1.5;

export interface PollerOptions<T> {
  /**
   * Asks once. A rejection is shown and asked again later. Where nothing has changed since the former answer it resolves
   * with that one itself.
   */
  readonly ask: (signal: AbortSignal, former: T | null) => Promise<T>;
  /** The longest wait that this answer allows, in ms; it is the so-manieth since the poller was woken, from 0 on. */
  readonly patience: (answer: T, place: number) => number;
}

/**
 * Waits 2 s while answers change; each answer that is the former one, and each failure, makes the wait half as long again, up to 60 s or the answer's
 * patience, which may be shorter. Asks nothing while paused. No failure ends it.
 */
export class Poller<T> {
  readonly #answer = signal<T | null>(null);
  readonly #failure = signal<string | null>(null);
  readonly #asking = signal(false);
  /** The last answer; kept through failures. */
  readonly answer = this.#answer.asReadonly();
  /** Why the last request failed; null after a success. */
  readonly failure: Signal<string | null> = this.#failure.asReadonly();
  readonly asking = this.#asking.asReadonly();

  #wait = SHORTEST_MS;
  #numAnswers = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #request: AbortController | null = null;
  #paused = true;

  constructor(private readonly options: PollerOptions<T>) {}

  /** Asks now, and goes on from the shortest wait. */
  wake(): void {
    this.#paused = false;
    this.#wait = SHORTEST_MS;
    this.#numAnswers = 0;
    this.#stop();
    void this.#ask();
  }

  pause(): void {
    this.#paused = true;
    this.#stop();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#request?.abort();
    this.#request = null;
    this.#asking.set(false);
  }

  async #ask(): Promise<void> {
    const request = (this.#request = new AbortController());
    this.#asking.set(true);
    let patience = LONGEST_MS;
    try {
      const former = untracked(this.#answer);
      const answer = await this.options.ask(request.signal, former);
      if (request !== this.#request) return;
      this.#wait = answer === former ? this.#wait * GROWTH : SHORTEST_MS;
      patience = this.options.patience(answer, this.#numAnswers++);
      this.#answer.set(answer);
      this.#failure.set(null);
    } catch (error) {
      if (request !== this.#request) return;
      this.#wait *= GROWTH;
      this.#failure.set(errorMessage(error));
    }
    this.#request = null;
    this.#asking.set(false);
    if (this.#paused) return;
    this.#wait = Math.max(SHORTEST_MS, Math.min(this.#wait, LONGEST_MS));
    this.#timer = setTimeout(() => void this.#ask(), Math.min(this.#wait, patience));
  }
}
