// Which alerts the user does not want to see: the rules in force. They are kept in the browser for each logdir, and stand in the
// address. A link that brings others is obeyed as long as it is there, and the user's own stay kept. They are no place in the
// history: where the user goes back to an address with former rules, the present ones stay. Lives as long as the page.
import { computed, effect, inject, linkedSignal, Service, signal, untracked } from '@angular/core';
import { remember, remembered } from '../host/remembered';
import { Logdir } from './logdir';
import { isRule, joinRules, MOST_RULES, splitRules } from './mute-rules';
import { Selection } from './selection';

interface OfLink {
  /** The rules of a link that differ from the user's own; null where these are in force. */
  readonly rules: readonly string[] | null;
  /** Rules that were in force on this page, joined: an address with them is no link from elsewhere. */
  readonly seen: ReadonlySet<string>;
}

@Service()
export class Mutes {
  readonly #selection = inject(Selection);

  /** Where the user's own rules are kept; null until the logdir is known. */
  readonly #key = signal<string | null>(null);
  readonly #own = signal<readonly string[]>([]);
  readonly #link = linkedSignal<string | null, OfLink>({
    source: this.#selection.mutes,
    computation: (text, previous) => {
      const before = previous?.value ?? { rules: null, seen: new Set() };
      if (text === null || before.seen.has(text)) return before;
      return withSeen(before, splitRules(text));
    },
  });

  /** The rules in force; null until it is known which are kept for this logdir. */
  readonly rules = computed<readonly string[] | null>(
    () => (this.#key() === null ? null : (this.#link().rules ?? this.#own())),
    { equal: (a, b) => a === b || (!!a && !!b && joinRules(a) === joinRules(b)) },
  );
  /** Whether the rules in force are not the user's own, but a link's. */
  readonly areOfLink = computed(() => {
    const { rules } = this.#link();
    return rules !== null && joinRules(rules) !== joinRules(this.#own());
  });
  readonly own = this.#own.asReadonly();
  readonly isFull = computed(() => (this.rules()?.length ?? 0) >= MOST_RULES);

  /** The rules before the last change, until they are put back. */
  readonly #former = signal<readonly string[] | null>(null);
  readonly canUndo = computed(() => this.#former() !== null);

  constructor() {
    void inject(Logdir).told.then((logdir) => this.#keepAt(logdir));
    effect(() => {
      const rules = this.rules();
      if (rules === null) return;
      // No rules are said to be none where the user has some that would come back.
      const text = rules.length || this.areOfLink() ? joinRules(rules) : null;
      if (text !== this.#selection.mutes()) untracked(() => this.#selection.showMutes(text));
    });
  }

  mute(rule: string): void {
    const rules = this.rules();
    if (!rules || !isRule(rule) || rules.includes(rule) || this.isFull()) return;
    this.#change([...rules, rule]);
  }

  restore(rule: string): void {
    this.#change((this.rules() ?? []).filter((one) => one !== rule));
  }

  restoreAll(): void {
    this.#change([]);
  }

  /** Puts back what was in force before the last change. */
  undo(): void {
    const former = this.#former();
    if (former) this.#change(former);
    this.#former.set(null);
  }

  /** Makes the link's rules the user's own. */
  keepLinks(): void {
    const rules = this.rules() ?? [];
    this.#link.update((link) => ({ ...withSeen(link, rules), rules: null }));
    this.#keep(rules);
  }

  /** Puts the user's own rules in force, whatever the link says. */
  takeOwn(): void {
    this.#link.update((link) => ({ ...link, rules: null }));
    this.#former.set(null);
  }

  #change(rules: readonly string[]): void {
    this.#former.set(this.rules());
    const ofLink = this.areOfLink();
    this.#link.update((link) => ({ ...withSeen(link, rules), rules: ofLink ? rules : null }));
    if (!ofLink) this.#keep(rules);
  }

  #keepAt(logdir: string): void {
    const key = `mutes ${logdir}`;
    this.#own.set(splitRules(remembered(key) ?? ''));
    this.#key.set(key);
  }

  #keep(rules: readonly string[]): void {
    this.#own.set(rules);
    const key = this.#key();
    if (key !== null) remember(key, joinRules(rules));
  }
}

function withSeen({ seen }: OfLink, rules: readonly string[]): OfLink {
  return { rules, seen: new Set([...seen, joinRules(rules)]) };
}
