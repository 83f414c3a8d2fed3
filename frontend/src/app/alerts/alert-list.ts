// The alerts of a kind as rows, of which only those in view are made. Owned by the pane, which owns the loaded alerts and
// the steps.
import {
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  inject,
  input,
  output,
  untracked,
  viewChild,
} from '@angular/core';
import { type AlertRole, AlertRoles, eventOfAlert } from '../state/alert-roles';
import type { PagedRows } from '../state/paged-rows';
import { bindKeysWithin } from '../ui/keyboard';
import { countText } from '../ui/number-text';
import { type CauseLink, RoleMark, RoleSignIcon, roleWords, SIGNS } from '../ui/role-mark';
import { shortBadText } from '../ui/tensor-health';
import { VirtualRows } from '../ui/virtual-rows';
import {
  type Alert,
  alertLabel,
  alertName,
  alertSource,
  alertTitle,
  placeText,
  whereText,
} from './alert-words';
import type { MuteQuestion } from './mute-items';

interface Row {
  readonly index: number;
  readonly alert: Alert | undefined;
  readonly place: string;
  readonly scope: string;
  readonly name: string;
  readonly where: string;
  readonly file: string;
  readonly line: string;
  readonly bad: string;
  readonly role: AlertRole | null;
  readonly title: string;
  readonly label: string;
}

@Component({
  selector: 'tbd-alert-list',
  imports: [RoleMark, RoleSignIcon, VirtualRows],
  template: `
    <p class="legend">
      @for (each of signs(); track each.sign) {
        <span [title]="each.meaning"><tbd-role-sign [sign]="each.sign" />{{ each.name }}</span>
      }
    </p>
    <tbd-virtual-rows
      role="listbox"
      tabindex="0"
      [attr.aria-label]="label()"
      [attr.aria-activedescendant]="focusedId()"
      [total]="rows().total()"
      [rowHeight]="rowHeight"
      (shown)="rows().show($event.begin, $event.end)"
    >
      <ng-template #row let-index>
        @let row = rowAt(index);
        <div
          role="option"
          tabindex="-1"
          class="row"
          [id]="idOf(index)"
          [class.selected]="index === focused()"
          [attr.aria-selected]="index === focused()"
          [attr.aria-label]="row.label"
          [attr.aria-setsize]="rows().total()"
          [attr.aria-posinset]="index + 1"
          [title]="row.title"
          (click)="pick(row.alert)"
          (keydown.enter)="pick(row.alert)"
        >
          <span class="place">{{ row.place }}</span>
          <span class="name">
            <span class="scope">{{ row.scope }}</span><span class="own">{{ row.name }}</span>
          </span>
          @if (row.bad) {
            <span class="tag bad">{{ row.bad }}</span>
          }
          <span class="role" aria-hidden="true">
            @if (row.role; as role) {
              <tbd-role-mark [role]="role" (wentBack)="wentBack.emit($event)" />
            }
            @if (row.alert; as alert) {
              <span
                #bell
                class="bell"
                title="Mute alerts like this one (m)"
                (click)="muteAsked.emit({ alert, anchor: bell }); $event.stopPropagation()"
              >
                <tbd-role-sign sign="muted" />
              </span>
            }
          </span>
          <span class="where">
            <span class="function">{{ row.where }}</span>
            <span class="file">{{ row.file }}</span><span class="line">{{ row.line }}</span>
          </span>
        </div>
      </ng-template>
    </tbd-virtual-rows>
  `,
  styleUrl: './alert-list.css',
})
export class AlertList {
  readonly rows = input.required<PagedRows<Alert>>();
  readonly label = input.required<string>();
  readonly focused = input.required<number | null>();
  /** Whether some are muted: they are marked in other panes. */
  readonly someMuted = input.required<boolean>();
  /** An alert was clicked. */
  readonly picked = output<Alert>();
  /** The user wants to go to where an alert's bad values came from. */
  readonly wentBack = output<CauseLink>();
  readonly muteAsked = output<MuteQuestion>();
  /** The keyboard asks for another alert than the focused one. */
  readonly stepped = output<'next' | 'previous' | 'first' | 'last'>();

  readonly #roles = inject(AlertRoles);
  protected readonly rowHeight = 40;
  protected readonly signs = computed(() =>
    SIGNS.filter(({ sign }) => sign !== 'muted' || this.someMuted()),
  );
  private readonly list = viewChild.required(VirtualRows);
  private readonly listElement = viewChild.required<VirtualRows, ElementRef<HTMLElement>>(
    VirtualRows,
    { read: ElementRef },
  );
  protected readonly focusedId = computed(() => {
    const focused = this.focused();
    return focused === null ? null : this.idOf(focused);
  });
  /** The alert that was brought into view; the user may have scrolled since. */
  #followed: number | null = null;

  constructor() {
    bindKeysWithin('Alerts', [
      { key: 'ArrowDown', effect: 'Next alert', run: () => this.stepped.emit('next') },
      { key: 'ArrowUp', effect: 'Previous alert', run: () => this.stepped.emit('previous') },
      { key: 'Home', effect: 'First alert', run: () => this.stepped.emit('first') },
      { key: 'End', effect: 'Last alert', run: () => this.stepped.emit('last') },
    ]);
    afterRenderEffect(() => {
      const focused = this.focused();
      const list = this.list();
      if (focused === null) this.#followed = null;
      if (focused === null || focused === this.#followed || focused >= this.rows().total()) return;
      this.#followed = focused;
      untracked(() => list.scrollToRow(focused));
    });
  }

  /** The list keeps the keyboard's focus: a row is gone once it is out of view. */
  protected pick(alert: Alert | undefined): void {
    this.listElement().nativeElement.focus({ preventScroll: true });
    if (alert) this.picked.emit(alert);
  }

  protected idOf(index: number): string {
    return `alert-${index}`;
  }

  protected rowAt(index: number): Row {
    const alert = this.rows().row(index);
    if (!alert) {
      const blank = {
        place: '',
        scope: '',
        name: `alert ${countText(index + 1)}`,
        where: '',
        file: '',
        line: '',
        bad: '',
        role: null,
        title: '',
      };
      return { ...blank, index, alert, label: `alert ${index + 1}, loading` };
    }
    const role = this.#roles.of(eventOfAlert(alert));
    return {
      index,
      alert,
      ...alertName(alert),
      place: placeText(alert),
      where: whereText(alert),
      ...alertSource(alert),
      bad: shortBadText(alert),
      role,
      title: alertTitle(alert),
      label: [alertLabel(alert), role && roleWords(role)].filter(Boolean).join(', '),
    };
  }
}
