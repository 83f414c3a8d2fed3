import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import type { AlertRole } from '../state/alert-roles';
import type { Trace } from './trace-list';
import { TraceRow } from './trace-row';

const trace: Trace = {
  index: 5,
  wall_time: 0,
  op_name: 'mul',
  op_type: 'Mul',
  output_slot: 0,
  graph_id: 'g',
  graph_name: 'loss_fn',
  graph_ids: ['g'],
  execution_index: 1,
  device_name: null,
  tensor_debug_mode: 4,
  debug_tensor_value: null,
  health: null,
  alert_index: 1,
} as unknown as Trace;

/** Made bad by trace 2. */
const propagated: AlertRole = {
  alert_index: 1,
  execution_index: null,
  graph_execution_trace_index: 5,
  role: 'propagated',
  is_muted: false,
  parent: {
    alert_index: 0,
    op_type: 'Log',
    op_name: 'op_2',
    graph_id: 'g',
    execution_index: null,
    graph_execution_trace_index: 2,
    output_slot: 0,
  },
};

describe('a row of Graph Executions', () => {
  it('leads to where its bad values came from, and is not selected by that', async () => {
    const fixture = TestBed.createComponent(TraceRow);
    fixture.componentRef.setInput('trace', trace);
    fixture.componentRef.setInput('role', propagated);
    const gone: unknown[] = [];
    const clicked: unknown[] = [];
    fixture.componentInstance.wentBack.subscribe((link) => gone.push(link.alert_index));
    const page = fixture.nativeElement as HTMLElement;
    page.addEventListener('click', (event) => clicked.push(event));
    await fixture.whenStable();
    const back = page.querySelector<HTMLElement>('tbd-role-mark button');
    expect(back?.title).toBe('Propagated from op_2:0, #2: go there');
    back?.click();
    expect([gone, clicked]).toEqual([[0], []]);
  });

  it.each([
    ['mul', 'Mul', 'mul:0'],
    ['gradients/Sum_1', 'Sum', 'gradients/Sum_1:0'],
    ['div_no_nan', 'DivNoNan', 'div_no_nan:0'],
    ['add', 'AddV2', 'add:0 AddV2'],
    ['Log', '', 'Log:0 unknown op'],
  ])('says of %s, a %s, nothing twice', async (op_name, op_type, said) => {
    const fixture = TestBed.createComponent(TraceRow);
    fixture.componentRef.setInput('trace', { ...trace, op_name, op_type });
    await fixture.whenStable();
    const named = (fixture.nativeElement as HTMLElement).querySelector('.named');
    for (const drawn of named?.querySelectorAll('[aria-hidden]') ?? []) drawn.remove();
    expect(named?.textContent.replace(/\s+/g, ' ').trim()).toBe(said);
  });

  it('has no mark where nothing is known of its alert', async () => {
    const fixture = TestBed.createComponent(TraceRow);
    fixture.componentRef.setInput('trace', trace);
    await fixture.whenStable();
    expect((fixture.nativeElement as HTMLElement).querySelector('tbd-role-mark')).toBeNull();
  });
});
