// What is muted: the rules with the number of alerts that each takes, a button to restore each and all, and a field for a new
// one. Folded at first. The rules are those of Mutes, how many they take is told by who asked.
import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { errorMessage } from '../api/api-error';
import { ApiClient } from '../api/client';
import { ruleOfText, wordsOf } from '../state/mute-rules';
import { Mutes } from '../state/mutes';
import { Selection } from '../state/selection';
import { countOf, countText } from '../ui/number-text';
import { OpName } from '../ui/op-name';

@Component({
  selector: 'tbd-muted-list',
  imports: [OpName],
  templateUrl: './muted-list.html',
  styleUrl: './muted-list.css',
})
export class MutedList {
  readonly #client = inject(ApiClient);
  readonly #injector = inject(Injector);
  readonly #run = inject(Selection).run;
  protected readonly mutes = inject(Mutes);

  /** How many alerts of tensors are muted, patterns aside; null while that is not known. */
  readonly numMuted = input.required<number | null>();
  /** How many each rule takes, in their order; empty while that is not known. */
  readonly numByRule = input.required<readonly number[]>();

  /** The rules and the field are there, or why a rule is refused: the list became higher. */
  readonly unfolded = output();

  protected readonly open = signal(false);
  protected readonly problem = signal('');
  private readonly field = viewChild<ElementRef<HTMLInputElement>>('field');

  protected readonly rules = computed(() =>
    (this.mutes.rules() ?? []).map((rule, index) => {
      const count = this.numByRule()[index];
      return { rule, ...wordsOf(rule), count: count ? countText(count) : '' };
    }),
  );
  protected readonly heading = computed(() => {
    const count = this.rules().length;
    if (!count) return 'Muted: nothing';
    const muted = this.numMuted();
    const alerts = muted ? `${countOf(muted, 'alert')}, ` : '';
    return `Muted (${alerts}${countOf(count, 'rule')})`;
  });
  protected readonly ownText = computed(() => {
    const count = this.mutes.own().length;
    return count ? `Yours (${countOf(count, 'rule')}) are kept` : 'You have none of your own';
  });

  protected toggle(): void {
    this.open.update((open) => !open);
    if (this.open()) this.#becameHigher();
  }

  #becameHigher(): void {
    afterNextRender(() => this.unfolded.emit(), { injector: this.#injector });
  }

  /** Only what the server can use becomes a rule. */
  protected async add(): Promise<void> {
    const field = this.field()?.nativeElement;
    const run = this.#run();
    if (!field || run === null) return;
    const rule = ruleOfText(field.value);
    if (!rule) {
      this.problem.set(field.value.trim() ? 'That is too long, or has a line break.' : '');
      return;
    }
    try {
      await this.#client.get('/alerts', null, { run, begin: 0, end: 0, mute: [rule] });
      this.mutes.mute(rule);
      field.value = '';
      this.problem.set('');
    } catch (error) {
      this.problem.set(refusalOfRule(errorMessage(error)));
      this.#becameHigher();
    }
  }

  /** The button that was pressed goes with its rule. */
  protected restore(rule: string): void {
    this.mutes.restore(rule);
    this.field()?.nativeElement.focus();
  }

  protected restoreAll(): void {
    this.mutes.restoreAll();
    this.field()?.nativeElement.focus();
  }
}

/** What the server says of a rule, without the rule: it still stands in the field. */
function refusalOfRule(message: string): string {
  return message.replace(/^parameter 'mute': .* (?=cannot be used )/s, 'This ');
}
