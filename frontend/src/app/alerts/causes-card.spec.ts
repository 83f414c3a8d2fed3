import { Component, signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Host } from '../host/host';
import { Mutes } from '../state/mutes';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import type { CauseLink, ChainLink, RootCause, RootCauses } from './cause-words';
import { CausesCard } from './causes-card';

const CALL = 'tf.debugging.experimental.enable_dump_debug_info(dump_root)';

const link = (alert_index: number): CauseLink => ({
  alert_index,
  op_type: 'Log',
  op_name: `Log_${alert_index}`,
  graph_id: 'g',
  execution_index: null,
  graph_execution_trace_index: 100 + alert_index,
  output_slot: 0,
});

const step = (alert_index: number, is_guess = false): ChainLink => ({
  ...link(alert_index),
  is_guess,
  num_skipped: 0,
});

/** The cause whose first alert is that, with a step to the damage. */
const cause = (alert_index: number, others: Partial<RootCause> = {}): RootCause => ({
  ...link(alert_index),
  kind: 'operation',
  graph_name: 'loss_fn_12',
  call_number: 3,
  called: 'train_step',
  source: {
    host_name: 'vm',
    file_path: '/home/dev/mlp.py',
    lineno: 20 + alert_index,
    function: 'loss_fn',
    file_index: 0,
  },
  forward_source: null,
  evidence: 'Its input held zeros.',
  advice: 'Keep zeros out.',
  confidence: 'high',
  is_harmless: false,
  num_origins: 1,
  num_alerts: 10,
  chain: [step(alert_index), step(alert_index + 1)],
  ...others,
});

const answerWith = (causes: RootCause[], limits: string[] = []): RootCauses => ({
  causes,
  num_causes: causes.length,
  num_muted_causes: 0,
  num_alerts: 10 * causes.length,
  num_muted: 0,
  num_explained: 10 * causes.length,
  limits,
});

@Component({
  imports: [CausesCard],
  template: `<tbd-causes-card [focused]="focused()" (picked)="pick($event.link, $event.step)" />`,
})
class Pane {
  readonly focused = signal<number | null>(null);
  readonly picked: [number, boolean][] = [];

  pick({ alert_index }: CauseLink, step: boolean): void {
    this.picked.push([alert_index, step]);
    this.focused.set(alert_index);
  }
}

describe('the causes card', () => {
  const grown = signal(1);
  const numAlerts = signal(10);
  const status = signal('complete');
  const rules = signal<readonly string[]>([]);
  const queries: object[] = [];
  let answer: RootCauses;
  let failing: boolean;
  let asked: number;
  let fixture: ComponentFixture<Pane>;
  let page: HTMLElement;

  const get = (_: string, __: unknown, query: object) => {
    asked++;
    queries.push(query);
    return failing ? Promise.reject(new Error('disk on fire')) : Promise.resolve(answer);
  };
  const pass = async () => {
    for (let turn = 0; turn < 3; turn++) {
      fixture.detectChanges();
      await vi.advanceTimersByTimeAsync(50);
    }
    fixture.detectChanges();
  };
  const isBefore = (one: string, other: string) =>
    page.textContent.indexOf(one) < page.textContent.indexOf(other);
  const show = async () => {
    fixture = TestBed.createComponent(Pane);
    page = fixture.nativeElement as HTMLElement;
    await pass();
  };
  const words = () => page.textContent.replace(/\s+/g, ' ').trim();
  const button = (name: string) =>
    [...page.querySelectorAll('button')].find(
      (one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === name,
    );
  const press = async (name: string) => {
    button(name)?.click();
    await pass();
  };

  beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = () => undefined;
        disconnect = () => undefined;
      },
    );
    grown.set(1);
    numAlerts.set(10);
    status.set('complete');
    rules.set([]);
    queries.length = 0;
    answer = answerWith([cause(0)]);
    failing = false;
    asked = 0;
    TestBed.configureTestingModule({
      providers: [
        { provide: Mutes, useValue: { rules } },
        { provide: ApiClient, useValue: { get } },
        { provide: Host, useValue: { visible: () => true } },
        {
          provide: Runs,
          useValue: {
            selected: () => ({
              bytes_indexed: grown(),
              num_alerts: numAlerts(),
              status: status(),
            }),
            replacements: () => 0,
          },
        },
        { provide: Selection, useValue: { run: () => 'mlp' } },
      ],
    });
  });

  afterEach(() => {
    fixture.destroy();
    localStorage.clear();
    vi.useRealTimers();
  });

  it('says what and where, how sure it is, what was seen and what helps', async () => {
    await show();
    expect(words()).toContain('1 cause explains 10 of 10 alerts');
    expect(words()).toContain('Log in loss_fn · mlp.py:20');
    expect(words()).toContain('3rd call of train_step · 10 alerts · high confidence');
    expect(words()).toContain('Its input held zeros.');
    expect(words()).toContain('What helps: Keep zeros out.');
  });

  it('names the line whose gradient a backward op computes', async () => {
    const forward = cause(4).source;
    answer = answerWith([cause(0, { forward_source: forward })]);
    await show();
    expect(words()).toContain('gradient of the op at mlp.py:24');
  });

  it('shows the cause, and steps through to the damage and back', async () => {
    answer = answerWith([cause(0, { chain: [step(0), step(1), step(2)] })]);
    await show();
    await press('Show Log in loss_fn mlp.py:20');
    expect(words()).toContain('2 steps to damage');
    await press('Next step to the damage');
    expect(words()).toContain('step 1 of 2');
    await press('Next step to the damage');
    expect(words()).toContain('step 2 of 2');
    expect(button('Next step to the damage')?.disabled).toBe(true);
    await press('Previous step to the damage');
    expect(fixture.componentInstance.picked).toEqual([
      [0, false],
      [1, true],
      [2, true],
      [1, true],
    ]);
  });

  it('takes as many clicks as there are steps, where nothing is selected yet too', async () => {
    await show();
    expect(words()).toContain('1 step to damage');
    await press('Next step to the damage');
    expect(words()).toContain('step 1 of 1');
    expect(button('Next step to the damage')?.disabled).toBe(true);
  });

  it('says of a step that it is a guess', async () => {
    answer = answerWith([cause(0, { chain: [step(0), step(1, true)] })]);
    await show();
    await press('Show Log in loss_fn mlp.py:20');
    await press('Next step to the damage');
    expect(words()).toContain('step 1 of 1 · a guess');
    expect(page.querySelector('.place')?.getAttribute('title')).toContain('is not recorded');
  });

  it('shows three causes, and the others when asked', async () => {
    answer = answerWith([0, 10, 20, 30, 40].map((at) => cause(at)));
    await show();
    expect(page.querySelectorAll('tbd-cause-item').length).toBe(3);
    await press('2 more');
    expect(page.querySelectorAll('tbd-cause-item').length).toBe(5);
    expect(button('2 more')).toBeUndefined();
  });

  it('keeps harmless causes apart, and says that they are', async () => {
    answer = answerWith([cause(0), cause(10, { is_harmless: true, op_type: 'Fill' })]);
    await show();
    expect(words()).toContain('1 cause explains 10 of 20 alerts');
    const apart = page.querySelector('.card > .body > details');
    expect(apart?.textContent).toContain('Harmless: 1');
    expect(apart?.textContent).toContain('Fill');
  });

  it('says how to record what is missing, and copies the call', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    answer = answerWith([cause(0)], [`Zeros are not counted. Record them with ${CALL}`]);
    await show();
    expect(words()).toContain('Record them with:');
    await press('Copy the call');
    expect(writeText).toHaveBeenCalledWith(CALL);
    expect(words()).toContain('Copied');
    vi.unstubAllGlobals();
  });

  it('begins with what is missing where the first cause is uncertain', async () => {
    answer = answerWith([cause(0)], ['Events are missing.']);
    await show();
    expect(isBefore('Its input held zeros.', 'Events are missing.')).toBe(true);
    expect(page.querySelector('details.limits')?.textContent).toContain('Events are missing.');
    answer = answerWith([cause(0, { confidence: 'low' })], ['Events are missing.']);
    numAlerts.set(11);
    await show();
    expect(isBefore('Events are missing.', 'Its input held zeros.')).toBe(true);
    expect(page.querySelector('details.limits')).toBeNull();
  });

  it('stays folded in this browser', async () => {
    await show();
    await press('1 cause explains 10 of 10 alerts');
    expect(words()).toBe('1 cause explains 10 of 10 alerts');
    fixture.destroy();
    await show();
    expect(words()).toBe('1 cause explains 10 of 10 alerts');
  });

  it('is asked for again when there are more alerts, not whenever the run grows', async () => {
    await show();
    grown.set(2);
    await pass();
    expect(asked).toBe(1);
    numAlerts.set(11);
    await pass();
    expect(asked).toBe(2);
  });

  it('is asked for at once, and then rarely, while the run is read', async () => {
    status.set('loading');
    await show();
    for (let alerts = 11; alerts < 20; alerts++) {
      numAlerts.set(alerts);
      await pass();
    }
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    await pass();
    expect(asked).toBe(2);
    numAlerts.set(20);
    status.set('complete');
    await pass();
    expect(asked).toBe(3);
  });

  it('leaves out what is muted, and says how much that is', async () => {
    answer = { ...answerWith([cause(0)]), num_muted: 12, num_muted_causes: 1 };
    rules.set(['op_type:Fill']);
    await show();
    expect(queries).toEqual([{ run: 'mlp', mute: ['op_type:Fill'] }]);
    expect(words()).toContain('1 cause explains 10 of 10 alerts, 12 muted');
  });

  it('says that the cause is muted, where only its consequences are left', async () => {
    answer = { ...answerWith([]), num_alerts: 20, num_muted: 12, num_muted_causes: 1 };
    await show();
    expect(words()).toBe('20 alerts left; their cause is among 12 muted');
    expect(page.querySelector('button')).toBeNull();
  });

  it('is nothing while there are no alerts', async () => {
    numAlerts.set(0);
    await show();
    expect(words()).toBe('');
    expect(asked).toBe(0);
  });

  it('says why it is not there, and can be tried again', async () => {
    failing = true;
    await show();
    expect(page.querySelector('[role=alert]')?.textContent).toContain('disk on fire');
    failing = false;
    await press('Retry');
    expect(words()).toContain('1 cause explains');
  });
});
