// Alerts: every tensor that holds NaN or infinity, in order of time, and the steps from one to the next; above them what
// causes them. Owns the loaded alerts; which of them is focused is the selection's. Lives as long as its run is shown.
import {
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { ApiClient } from '../api/client';
import { alertIndex } from '../api/indices';
import { AlertRoles, eventOfAlert } from '../state/alert-roles';
import { FocusedEvent } from '../state/focused-event';
import { joinRules } from '../state/mute-rules';
import { Mutes } from '../state/mutes';
import { PagedRows } from '../state/paged-rows';
import { readOfRun } from '../state/run-read';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { bindKeys } from '../ui/keyboard';
import { countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { failed, LOADING, type PaneState, READY } from '../ui/pane-state';
import { ProblemPanel } from '../ui/problem-panel';
import { StepButton } from '../ui/step-button';
import { type AlertKind, alertKinds } from './alert-kinds';
import { AlertList } from './alert-list';
import { AlertPlaces } from './alert-places';
import { AlertSteps, type AlertsAround } from './alert-steps';
import type { Alert } from './alert-words';
import type { CauseLink } from './cause-words';
import { CausesCard } from './causes-card';
import { FoundPatterns } from './found-patterns';
import { itemsOfAlert, itemsOfTypes, type MuteQuestion } from './mute-items';
import { MuteMenu } from './mute-menu';
import { MutedList } from './muted-list';
import { whyNone } from './none-texts';
import { PatternsSection } from './patterns';

@Component({
  selector: 'tbd-alerts',
  imports: [AlertList, CausesCard, MutedList, MuteMenu, Pane, PatternsSection, StepButton],
  templateUrl: './alerts.html',
  styleUrl: './alerts.css',
})
export class Alerts {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #selection = inject(Selection);
  readonly #focusedEvent = inject(FocusedEvent);
  readonly #mutes = inject(Mutes);
  readonly #roles = inject(AlertRoles);
  readonly #patterns = inject(FoundPatterns);
  protected readonly problems = inject(ProblemPanel);

  /** The rules of what is muted; empty while they are not known. */
  readonly #rules = computed(() => this.#mutes.rules() ?? []);
  protected readonly rows = new PagedRows<Alert>({
    fetchPage: (begin, end, signal) => this.#fetch(begin, end, signal),
  });
  protected readonly counts = readOfRun({
    question: () => this.#mutes.rules(),
    ask: async (run, rules, signal) => ({
      rules,
      ...(await this.#client.get('/alerts', signal, { run, begin: 0, end: 0, mute: [...rules] })),
    }),
    grows: true,
  });
  protected readonly kinds = computed(() =>
    alertKinds(this.counts.answer()?.alerts_breakdown ?? {}),
  );
  /** All that were recorded, muted or not. */
  protected readonly recorded = computed(() => this.#runs.selected()?.num_alerts ?? 0);
  /** Those that are not muted. */
  protected readonly total = computed(() => {
    const rules = this.#mutes.rules();
    if (!rules) return 0;
    return rules.length ? (this.#muted()?.num_alerts ?? 0) : this.recorded();
  });
  /** What the rules in force leave; null while that is not known. */
  readonly #muted = computed(() => {
    const answer = this.counts.answer();
    return answer && joinRules(answer.rules) === joinRules(this.#rules()) ? answer : null;
  });
  protected readonly numMuted = computed(() => this.#muted()?.num_muted ?? null);
  protected readonly numMutedBy = computed(() => this.#muted()?.num_muted_by ?? []);
  protected readonly run = this.#selection.run;
  /** Room for the longest "#71" or "e35" of the run, in letters. */
  protected readonly placeLetters = computed(() => {
    const run = this.#runs.selected();
    const most = Math.max(run?.num_executions ?? 0, run?.num_graph_executions ?? 0);
    return String(most).length + 1;
  });
  /** The kind whose alerts are listed; null: none. */
  protected readonly opened = signal<string | null>('InfNanAlert');

  protected readonly state = computed<PaneState>(() => {
    const run = this.#runs.selected();
    if (!run) return LOADING;
    if (this.recorded() === 0) return this.#hasOthers() ? READY : whyNone(run);
    // A rule of a link that is of no use can be restored below.
    if (this.counts.refused()) return READY;
    const failure = this.counts.answer() ? this.#lostPage() : this.counts.failure();
    if (failure !== null) return failed(failure);
    return this.counts.answer() ? READY : LOADING;
  });
  /** Why there is no alert, where something else is shown. */
  protected readonly whyNone = computed(() => {
    const run = this.#runs.selected();
    const state = run && this.recorded() === 0 ? whyNone(run) : READY;
    if (!('text' in state)) return null;
    const text = (state.text ?? '').replace(/^No alert/, 'No NaN/∞ alert');
    return { text, problem: 'problem' in state ? state.problem : undefined };
  });
  /** Whether there is something to show beside alerts; rules may hide patterns, and can be restored. */
  readonly #hasOthers = computed(
    () => this.#patterns.found().length > 0 || this.#rules().length > 0,
  );
  /** "499", or "487 of 499" where some are muted. */
  protected readonly note = computed(() => {
    const recorded = this.recorded();
    if (!recorded) return '';
    return this.numMuted()
      ? `${countText(this.total())} of ${countText(recorded)}`
      : countText(recorded);
  });

  /** The selected alert; where an event was selected otherwise, the alert that it is, if any. */
  protected readonly focused = computed<number | null>(() => {
    const alert = this.#selection.alert() ?? this.#alertOfEvent();
    return alert !== null && alert < this.recorded() ? alert : null;
  });
  protected readonly places = new AlertPlaces({
    rows: this.rows,
    rules: this.#rules,
    focused: this.focused,
    ask: (alert, signal) =>
      this.#client.get('/alerts/around', signal, {
        run: this.#selection.run() ?? '',
        alert_index: alert,
        mute: [...this.#rules()],
      }),
  });
  protected readonly place = computed(() => {
    if (this.places.isMuted()) return 'muted';
    const focused = this.places.focused();
    const total = countText(this.total());
    return focused === null ? '' : `${countText(focused + 1)} of ${total}`;
  });
  /** The focused alert, where it is not muted and loaded. */
  protected readonly focusedAlert = computed(() => {
    const place = this.places.focused();
    return place === null ? undefined : this.rows.row(place);
  });

  protected readonly steps = new AlertSteps<Alert>({
    total: this.total,
    focused: this.places.focused,
    around: (signal) => this.#alertsAround(signal),
    alertAt: async (place, signal) => {
      const alert = this.rows.row(place) ?? (await this.#fetch(place, place + 1, signal))[0];
      if (!alert) throw new Error(`There is no alert ${place}.`);
      this.places.meet(alert.index, place);
      return alert;
    },
    select: (alert) => this.select(alert, { step: true }),
  });
  protected readonly countText = countText;
  private readonly menu = viewChild.required(MuteMenu);
  private readonly muteButton = viewChild<ElementRef<HTMLElement>>('muteButton');
  /** Why the last step led nowhere. */
  protected readonly stepFailure = signal<string | null>(null);

  private readonly pane = viewChild.required(Pane);
  private readonly list = viewChild<AlertList, ElementRef<HTMLElement>>(AlertList, {
    read: ElementRef,
  });
  private readonly mutedList = viewChild<MutedList, ElementRef<HTMLElement>>(MutedList, {
    read: ElementRef,
  });
  private readonly stepsBar = viewChild<ElementRef<HTMLElement>>('stepsBar');
  /** The focused alert that the list was scrolled into view for, or need not be; "first": that of the address. */
  #followed: number | 'first' | null = null;

  /** The run and the rules of the rows. */
  #shownList = '';

  constructor() {
    bindKeys([
      { key: 'n', effect: 'Next alert', run: () => this.stepTo('next') },
      { key: 'p', effect: 'Previous alert', run: () => this.stepTo('previous') },
      {
        key: 'b',
        effect: 'Back to where the selected bad values came from',
        run: () => this.#goBack(),
      },
      { key: 'm', effect: 'Mute alerts like the selected one', run: () => this.#askFocused() },
    ]);
    this.#roles.follow(() => {
      const alerts = this.opened() === null ? [] : this.rows.rows();
      const selected = this.focused() === null ? null : this.#selection.event();
      return [selected, ...alerts.map((alert) => (alert ? eventOfAlert(alert) : null))];
    });
    effect(() => {
      const list = JSON.stringify([this.run(), this.#mutes.rules()]);
      const total = this.total();
      untracked(() => this.#show(list, total));
    });
    // What the user selects meanwhile wins over a step on its way.
    effect(() => {
      this.#selection.event();
      this.#selection.alert();
      untracked(() => this.steps.stop());
    });
    if (this.#selection.event()) this.#followed = 'first';
    afterRenderEffect(() => {
      const focused = this.focused();
      if (focused !== null && this.places.focused() !== null) this.#follow(focused);
    });
    inject(DestroyRef).onDestroy(() => {
      this.steps.stop();
      this.rows.dispose();
    });
  }

  /** Another run may have as many alerts as the last one had, and other rules may leave as many. */
  #show(list: string, total: number): void {
    const { begin, end } = this.rows.viewport();
    if (list !== this.#shownList) {
      this.#shownList = list;
      this.steps.stop();
      this.stepFailure.set(null);
      this.rows.reset();
    } else if (total !== this.rows.total()) {
      // What is read later may have happened earlier: new alerts stand between known ones.
      this.rows.outdate();
    }
    this.rows.setTotal(total);
    this.rows.show(begin, end);
  }

  protected select(alert: Alert, options: { readonly step?: boolean } = {}): void {
    this.selectLink({ ...alert, alert_index: alert.index }, options);
  }

  /** A cause, or a step from it to the damage: the button that was clicked stays where it is. */
  protected selectOfCause(link: CauseLink, options: { readonly step: boolean }): void {
    this.#followed = link.alert_index;
    this.selectLink(link, options);
  }

  /** As the alert that it is. */
  protected selectLink(
    link: Pick<CauseLink, 'alert_index' | 'execution_index' | 'graph_execution_trace_index'>,
    options: { readonly step?: boolean } = {},
  ): void {
    const event = eventOfAlert(link);
    if (event) this.#selection.select(event, { alert: alertIndex(link.alert_index), ...options });
  }

  /** Where the causes leave the list no room, the pane is scrolled to it. */
  #follow(focused: number): void {
    const followed = this.#followed;
    this.#followed = focused;
    const list = this.list();
    if (!list || followed === focused || followed === 'first') return;
    this.#reveal(list);
  }

  protected revealMuted(): void {
    const list = this.mutedList();
    if (list) this.#reveal(list);
  }

  #reveal({ nativeElement }: ElementRef<HTMLElement>): void {
    const atBottom = this.stepsBar()?.nativeElement.offsetHeight ?? 0;
    this.pane().reveal(nativeElement, { atBottom });
  }

  /** One step back towards the cause. */
  #goBack(): boolean {
    const role = this.#roles.of(this.#selection.event());
    if (!role?.parent) return false;
    this.selectLink(role.parent, { step: true });
    return true;
  }

  /** False where there is nowhere to go: the key is then another's. */
  protected stepTo(where: 'next' | 'previous' | 'first' | 'last'): boolean {
    if (this.total() === 0) return false;
    this.stepFailure.set(null);
    const step = {
      next: () => this.steps.next(),
      previous: () => this.steps.previous(),
      first: () => this.steps.goTo(0),
      last: () => this.steps.goTo(this.total() - 1),
    }[where];
    step().catch((error: unknown) => {
      this.stepFailure.set(error instanceof Error ? error.message : String(error));
    });
    return true;
  }

  /** The kind's row: to its first alert while none is focused, else it opens and closes the list. */
  protected enterKind(type: string): void {
    if (this.focused() === null) {
      this.opened.set(type);
      this.stepTo('first');
    } else {
      this.toggleKind(type);
    }
  }

  protected toggleKind(type: string): void {
    this.opened.update((opened) => (opened === type ? null : type));
  }

  /** Offers what can be muted of an alert, beside a button. */
  protected askWhatToMute({ alert, anchor }: MuteQuestion): void {
    this.menu().show('Mute all alerts of this', itemsOfAlert(alert), anchor);
  }

  protected askWhichType(kind: AlertKind, anchor: Element): void {
    const types = itemsOfTypes(this.#muted()?.op_types ?? []);
    this.menu().show(`Mute ${kind.title} alerts of this`, types, anchor);
  }

  protected mute(rule: string): void {
    this.#mutes.mute(rule);
  }

  #askFocused(): boolean {
    const alert = this.focusedAlert();
    const button = this.muteButton()?.nativeElement;
    if (!alert || !button) return false;
    this.askWhatToMute({ alert, anchor: button });
    return true;
  }

  async #fetch(begin: number, end: number, signal: AbortSignal): Promise<readonly Alert[]> {
    const query = { run: this.#selection.run() ?? '', begin, end, mute: [...this.#rules()] };
    return (await this.#client.get('/alerts', signal, query)).alerts;
  }

  /** Why none of the rows in view is there; a few missing ones are said below the list. */
  readonly #lostPage = computed(() =>
    this.rows.rows().some((row) => row !== undefined) ? null : this.rows.failure(),
  );

  readonly #alertOfEvent = computed(() => {
    const event = this.#selection.event();
    if (event?.kind === 'trace') {
      const trace = this.#focusedEvent.trace.answer();
      return trace?.index === event.index ? trace.alert_index : null;
    }
    if (event?.kind !== 'execution') return null;
    const detail = this.#focusedEvent.execution.answer();
    if (detail?.execution.index !== event.index) return null;
    return detail.outputs.find((output) => output.alert_index !== null)?.alert_index ?? null;
  });

  async #alertsAround(signal: AbortSignal): Promise<AlertsAround | null> {
    const event = this.#selection.event();
    if (event?.kind !== 'trace' && event?.kind !== 'execution') return null;
    const run = this.#selection.run() ?? '';
    return this.#client.get('/alerts/around', signal, {
      run,
      mute: [...this.#rules()],
      ...(event.kind === 'trace'
        ? { graph_execution_trace_index: event.index }
        : { execution_index: event.index }),
    });
  }
}
