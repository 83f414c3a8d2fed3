// Going from alert to alert in order of time. Knows no DOM; who makes it owns the alerts and the selection.

/** The alerts before and after an event that is none, as positions; null where there is none. */
export interface AlertsAround {
  readonly previous: number | null;
  readonly next: number | null;
}

export interface AlertStepsOptions<Alert> {
  readonly total: () => number;
  /** The focused alert, if any. */
  readonly focused: () => number | null;
  /** What is around the selected event; null where no event is selected that has a place in time. */
  readonly around: (signal: AbortSignal) => Promise<AlertsAround | null>;
  readonly alertAt: (index: number, signal: AbortSignal) => Promise<Alert>;
  readonly select: (alert: Alert) => void;
}

/** One step on its way. */
interface Going {
  readonly controller: AbortController;
  target: number | null;
}

export class AlertSteps<Alert> {
  readonly #options: AlertStepsOptions<Alert>;
  #going: Going | null = null;

  constructor(options: AlertStepsOptions<Alert>) {
    this.#options = options;
  }

  /** To the next alert; without a place, to the first. At the last one, nowhere. */
  next(): Promise<void> {
    return this.#go((from) => from + 1, 'next');
  }

  /** To the previous alert; without a place, to the first. */
  previous(): Promise<void> {
    return this.#go((from) => from - 1, 'previous');
  }

  goTo(index: number): Promise<void> {
    return this.#go(() => index, null);
  }

  /** Gives up what is on its way: something else was selected. */
  stop(): void {
    this.#going?.controller.abort();
    this.#going = null;
  }

  /**
   * @param step From an alert to another.
   * @param side Where to go from an event that is no alert; null: it does not matter where one is.
   */
  async #go(step: (from: number) => number, side: keyof AlertsAround | null): Promise<void> {
    // Pressed again before the alert was there: from where it was to go.
    const from = this.#going?.target ?? this.#options.focused();
    this.stop();
    const going: Going = { controller: new AbortController(), target: from };
    this.#going = going;
    const { signal } = going.controller;
    try {
      const target =
        from !== null || side === null ? step(from ?? 0) : await this.#beside(side, signal);
      if (signal.aborted || target === null) return;
      if (target < 0 || target >= this.#options.total()) return;
      going.target = target;
      const alert = await this.#options.alertAt(target, signal);
      if (!signal.aborted) this.#options.select(alert);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.#going === going) this.#going = null;
    }
  }

  async #beside(side: keyof AlertsAround, signal: AbortSignal): Promise<number | null> {
    const around = await this.#options.around(signal);
    return around ? around[side] : 0;
  }
}
