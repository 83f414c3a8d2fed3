// A signal that follows another at its own pace: what is asked for whenever it changes is not asked for on every poll.
import { effect, linkedSignal, type Signal, untracked } from '@angular/core';

export interface SteadyOptions {
  /** Where this changes, the value is followed at once: another run. */
  readonly of: () => unknown;
  /** Whether each change is followed at once; else at most one in `everyMs`. */
  readonly calm: () => boolean;
  readonly everyMs: number;
}

/** Must be called in an injection context. */
export function steady(source: () => number, options: SteadyOptions): Signal<number> {
  let followedAt = -Infinity;
  const followed = linkedSignal({
    source: options.of,
    computation: () => {
      followedAt = Date.now();
      return untracked(source);
    },
  });
  effect((onCleanup) => {
    const value = source();
    if (value === followed()) return;
    const follow = () => {
      followedAt = Date.now();
      followed.set(value);
    };
    // The first alerts are never late.
    const rest =
      untracked(followed) && !options.calm() ? followedAt + options.everyMs - Date.now() : 0;
    if (rest <= 0) {
      untracked(follow);
      return;
    }
    const timer = setTimeout(follow, rest);
    onCleanup(() => clearTimeout(timer));
  });
  return followed.asReadonly();
}
