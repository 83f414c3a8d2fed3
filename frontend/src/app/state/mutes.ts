// Which alerts the user does not want to see: the rules in force. They are kept in the browser for each logdir, and stand in the
// address. A link that brings others is obeyed as long as the address has them, and the user's own stay kept. They are no place
// in the history: where the user goes back to an address with former rules, the present ones stay. Lives as long as the page.
import { computed, effect, inject, linkedSignal, Service, signal, untracked } from '@angular/core';
import { remember, remembered } from '../host/remembered';
import { Logdir } from './logdir';
import { isRule, joinRules, MOST_RULES, splitRules } from './mute-rules';
import { Selection } from './selection';

interface InForce {
  /** The rules of a link, which may be no others than the user's own; null where these are in force. */
  readonly link: readonly string[] | null;
  /** Rules that the link was given on this page, joined: an address with them is no other link. */
  readonly ofLink: ReadonlySet<string>;
  /** The same of the user's own, and of links that the user has decided on: an address with them is no link. */
  readonly ofUser: ReadonlySet<string>;
}

interface Change {
  readonly before: readonly string[];
  /** Whether those of a link were changed. */
  readonly ofLink: boolean;
}

@Service()
export class Mutes {
  readonly #selection = inject(Selection);

  /** Where the user's own rules are kept; null until the logdir is known. */
  readonly #key = signal<string | null>(null);
  readonly #own = signal<readonly string[]>([]);
  readonly #inForce = linkedSignal<string | null, InForce>({
    source: this.#selection.mutes,
    computation: (text, previous) => {
      const before = previous?.value ?? { link: null, ofLink: new Set(), ofUser: new Set() };
      if (text === null || before.ofUser.has(text)) return withoutLink(before);
      return before.ofLink.has(text) ? before : withLink(before, splitRules(text), [text]);
    },
  });

  /** The rules in force; null until it is known which are kept for this logdir. */
  readonly rules = computed<readonly string[] | null>(
    () => (this.#key() === null ? null : (this.#inForce().link ?? this.#own())),
    { equal: (a, b) => a === b || (!!a && !!b && joinRules(a) === joinRules(b)) },
  );
  /** Whether the rules in force are not the user's own, but a link's. */
  readonly areOfLink = computed(() => {
    const { link } = this.#inForce();
    return link !== null && joinRules(link) !== joinRules(this.#own());
  });
  readonly own = this.#own.asReadonly();
  readonly isFull = computed(() => (this.rules()?.length ?? 0) >= MOST_RULES);

  readonly #lastChange = signal<Change | null>(null);
  /** Whether the last change can be taken back: not where a link has come or gone since. */
  readonly canUndo = computed(() => this.#lastChange()?.ofLink === (this.#inForce().link !== null));

  constructor() {
    void inject(Logdir).told.then((logdir) => this.#keepAt(logdir));
    effect(() => {
      const rules = this.rules();
      if (rules === null) return;
      // A link without rules says so, or the user's own would come back.
      const text = rules.length || this.#inForce().link ? joinRules(rules) : null;
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
    const change = this.#lastChange();
    if (change && this.canUndo()) this.#put(change.before, change.ofLink);
    this.#lastChange.set(null);
  }

  /** Makes the link's rules the user's own. */
  keepLinks(): void {
    const rules = this.rules() ?? [];
    this.#inForce.update(decided);
    this.#keep(rules);
  }

  /** Puts the user's own rules in force, whatever the link says. */
  takeOwn(): void {
    this.#inForce.update(decided);
  }

  #change(rules: readonly string[]): void {
    const ofLink = this.areOfLink();
    this.#lastChange.set({ before: this.rules() ?? [], ofLink });
    this.#put(rules, ofLink);
  }

  #put(rules: readonly string[], ofLink: boolean): void {
    if (ofLink) {
      this.#inForce.update((before) =>
        withLink(before, rules, [...before.ofLink, joinRules(rules)]),
      );
    } else {
      this.#inForce.update(withoutLink);
      this.#keep(rules);
    }
  }

  #keepAt(logdir: string): void {
    const key = `mutes ${logdir}`;
    this.#key.set(key);
    this.#setOwn(splitRules(remembered(key) ?? ''));
  }

  #keep(rules: readonly string[]): void {
    this.#setOwn(rules);
    const key = this.#key();
    if (key !== null) remember(key, joinRules(rules));
  }

  #setOwn(rules: readonly string[]): void {
    this.#own.set(rules);
    // None of one's own are not in the address: no rules there are those of a link.
    if (!rules.length) return;
    this.#inForce.update((before) => ({
      ...before,
      ofUser: new Set([...before.ofUser, joinRules(rules)]),
    }));
  }
}

function withLink(before: InForce, link: readonly string[], ofLink: readonly string[]): InForce {
  return { ...before, link, ofLink: new Set(ofLink) };
}

function withoutLink(before: InForce): InForce {
  return before.link ? { ...before, link: null, ofLink: new Set() } : before;
}

/** The user has decided on the link: it is none any longer, also where the user goes back to it. */
function decided(before: InForce): InForce {
  return withoutLink({ ...before, ofUser: new Set([...before.ofUser, ...before.ofLink]) });
}
