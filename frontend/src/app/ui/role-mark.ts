// A small sign of what an alert is to others, told apart by its shape: a filled diamond where the cause is, a hollow one where
// bad values came up too, an arrow where they came from elsewhere, a struck bell where they are muted. Words in a tooltip.
import { Component, computed, input, output } from '@angular/core';
import type { AlertRole } from '../state/alert-roles';

export type CauseLink = NonNullable<AlertRole['parent']>;
export type RoleSign = AlertRole['role'] | 'muted';

/** What each sign means, in the words of a legend. */
export const SIGNS: readonly {
  readonly sign: RoleSign;
  readonly name: string;
  readonly meaning: string;
}[] = [
  { sign: 'cause', name: 'cause', meaning: 'Where a cause first made bad values of good ones' },
  { sign: 'origin', name: 'origin', meaning: 'No bad input was seen here either' },
  {
    sign: 'propagated',
    name: 'propagated',
    meaning: 'Bad values came in: click the arrow to go where they came from (b)',
  },
  { sign: 'muted', name: 'muted', meaning: 'Left out of lists and counts: see Muted below' },
];

export function signOf(role: AlertRole): RoleSign {
  return role.is_muted ? 'muted' : role.role;
}

/** "propagated from Log:0, #12" */
export function roleWords(role: AlertRole): string {
  const words = {
    cause: 'Cause: no bad input was seen here, and the damage began here',
    origin: 'Origin: no bad input was seen here',
    propagated: `Propagated from ${role.parent ? nameOf(role.parent) : 'another'}`,
  }[role.role];
  return role.is_muted ? `Muted. ${words}` : words;
}

/** "model/Log:0, #12", "RealDiv, e3" */
function nameOf(link: CauseLink): string {
  const { op_name, op_type, output_slot, execution_index, graph_execution_trace_index } = link;
  const name = op_name === null ? op_type : `${op_name}:${output_slot ?? '?'}`;
  return graph_execution_trace_index === null
    ? `${name}, execution ${execution_index ?? '?'}`
    : `${name}, #${graph_execution_trace_index}`;
}

@Component({
  selector: 'tbd-role-sign',
  template: `
    <svg viewBox="0 0 12 12" aria-hidden="true" [class]="sign()">
      @switch (sign()) {
        @case ('cause') {
          <path class="filled" d="M6 1 11 6 6 11 1 6Z" />
        }
        @case ('origin') {
          <path d="M6 1.4 10.6 6 6 10.6 1.4 6Z" />
        }
        @case ('propagated') {
          <path d="M10.2 10.2 2.4 2.4M2.4 7.4v-5h5" />
        }
        @case ('muted') {
          <path d="M2.6 9V5.4a3.4 3.4 0 0 1 6.8 0V9ZM5 10.9h2M1 1l10 10" />
        }
      }
    </svg>
  `,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
    }
    svg {
      width: 12px;
      height: 12px;
      fill: none;
      stroke: var(--bad);
      stroke-width: 1.4;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .filled {
      fill: var(--bad);
    }
    .propagated,
    .muted {
      stroke: var(--dim);
    }
  `,
})
export class RoleSignIcon {
  readonly sign = input.required<RoleSign>();
}

@Component({
  selector: 'tbd-role-mark',
  imports: [RoleSignIcon],
  template: `
    @if (parent(); as link) {
      <button
        type="button"
        tabindex="-1"
        [attr.aria-label]="words() + ': go there'"
        [title]="words() + ': go there'"
        (click)="wentBack.emit(link); $event.stopPropagation()"
      >
        <tbd-role-sign [sign]="sign()" />
      </button>
    } @else {
      <span role="img" [attr.aria-label]="words()" [title]="words()">
        <tbd-role-sign [sign]="sign()" />
      </span>
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
    }
    span,
    button {
      display: inline-grid;
      place-items: center;
      width: 16px;
      height: 16px;
      padding: 0;
      border: 0;
      border-radius: 4px;
      background: none;
    }
    span {
      cursor: help;
    }
    button {
      cursor: pointer;
    }
    button:hover {
      background: var(--chip);
    }
  `,
})
export class RoleMark {
  readonly role = input.required<AlertRole>();
  /** The user wants to go one step back. */
  readonly wentBack = output<CauseLink>();

  protected readonly sign = computed(() => signOf(this.role()));
  protected readonly words = computed(() => roleWords(this.role()));
  protected readonly parent = computed(() => this.role().parent);
}
