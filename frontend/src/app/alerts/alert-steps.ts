// Going from alert to alert in order of time. Knows no DOM; who makes it owns the alerts and the selection.

/** What the steps need to know of an alert. */
export interface TimedAlert {
  readonly index: number;
  readonly wall_time: number;
}

export interface AlertStepsOptions<Alert extends TimedAlert> {
  readonly total: () => number;
  /** The focused alert, if any. */
  readonly focused: () => number | null;
  /** When the selected event happened that is no alert; null where that is not known. */
  readonly time: () => number | null;
  readonly alertAt: (index: number, signal: AbortSignal) => Promise<Alert>;
  readonly select: (alert: Alert) => void;
}

/** One step on its way. */
interface Going<Alert> {
  readonly controller: AbortController;
  target: number | null;
  /** Alerts that were looked at to find the place. */
  readonly seen: Map<number, Alert>;
}

type Find<Alert> = (
  from: number | null,
  time: number | null,
  going: Going<Alert>,
) => Promise<number>;

export class AlertSteps<Alert extends TimedAlert> {
  readonly #options: AlertStepsOptions<Alert>;
  #going: Going<Alert> | null = null;

  constructor(options: AlertStepsOptions<Alert>) {
    this.#options = options;
  }

  /** To the next alert; without a place, to the first. At the last one, nowhere. */
  next(): Promise<void> {
    return this.#go(async (from, time, going) => {
      if (from !== null) return from + 1;
      return time === null ? 0 : this.#countUntil(time, true, going);
    });
  }

  /** To the previous alert; without a place, to the first. */
  previous(): Promise<void> {
    return this.#go(async (from, time, going) => {
      if (from !== null) return from - 1;
      return time === null ? 0 : (await this.#countUntil(time, false, going)) - 1;
    });
  }

  goTo(index: number): Promise<void> {
    return this.#go(() => Promise.resolve(index));
  }

  /** Gives up what is on its way: something else was selected. */
  stop(): void {
    this.#going?.controller.abort();
    this.#going = null;
  }

  async #go(find: Find<Alert>): Promise<void> {
    // Pressed again before the alert was there: from where it was to go.
    const from = this.#going?.target ?? this.#options.focused();
    this.stop();
    const going: Going<Alert> = {
      controller: new AbortController(),
      target: from,
      seen: new Map(),
    };
    this.#going = going;
    const { signal } = going.controller;
    try {
      const target = await find(from, this.#options.time(), going);
      if (signal.aborted || target < 0 || target >= this.#options.total()) return;
      going.target = target;
      const alert = await this.#alertAt(target, going);
      if (!signal.aborted) this.#options.select(alert);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.#going === going) this.#going = null;
    }
  }

  /** How many alerts are before a time, or also at it, by halving: they are in order of time. */
  async #countUntil(time: number, inclusive: boolean, going: Going<Alert>): Promise<number> {
    let low = 0;
    let high = this.#options.total();
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { wall_time } = await this.#alertAt(middle, going);
      if (wall_time < time || (inclusive && wall_time === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #alertAt(index: number, { controller, seen }: Going<Alert>): Promise<Alert> {
    const alert = seen.get(index) ?? (await this.#options.alertAt(index, controller.signal));
    seen.set(index, alert);
    return alert;
  }
}
