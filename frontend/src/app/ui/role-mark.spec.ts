import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import type { AlertRole } from '../state/alert-roles';
import { RoleMark, roleWords } from './role-mark';

const parent = {
  alert_index: 0,
  op_type: 'Log',
  op_name: 'model/Log',
  graph_id: 'g',
  execution_index: null,
  graph_execution_trace_index: 12,
  output_slot: 0,
};
const role = (others: Partial<AlertRole>): AlertRole => ({
  alert_index: 1,
  execution_index: null,
  graph_execution_trace_index: 13,
  role: 'propagated',
  is_muted: false,
  parent: null,
  ...others,
});

describe('the mark of an alert', () => {
  it.each([
    [role({ role: 'cause' }), 'Cause: no bad input was seen here, and the damage began here'],
    [role({ role: 'origin' }), 'Origin: no bad input was seen here'],
    [role({ parent }), 'Propagated from model/Log:0, #12'],
    [
      role({
        parent: {
          ...parent,
          op_name: null,
          op_type: 'RealDiv',
          execution_index: 3,
          graph_execution_trace_index: null,
        },
      }),
      'Propagated from RealDiv, execution 3',
    ],
    [role({ role: 'origin', is_muted: true }), 'Muted. Origin: no bad input was seen here'],
  ])('says what it is: %#', (one, words) => {
    expect(roleWords(one)).toBe(words);
  });

  it('leads one step back', async () => {
    const fixture = TestBed.createComponent(RoleMark);
    fixture.componentRef.setInput('role', role({ parent }));
    const gone: unknown[] = [];
    fixture.componentInstance.wentBack.subscribe((link) => gone.push(link));
    await fixture.whenStable();
    (fixture.nativeElement as HTMLElement).querySelector('button')?.click();
    expect(gone).toEqual([parent]);
  });

  it('of an origin leads nowhere, and differs in shape', async () => {
    const fixture = TestBed.createComponent(RoleMark);
    const page = fixture.nativeElement as HTMLElement;
    const shapes = new Set<string>();
    for (const one of [{ role: 'cause' }, { role: 'origin' }, { is_muted: true }] as const) {
      fixture.componentRef.setInput('role', role(one));
      await fixture.whenStable();
      expect(page.querySelector('button')).toBeNull();
      shapes.add(page.querySelector('path')?.getAttribute('d') ?? '');
    }
    expect(shapes.size).toBe(3);
  });
});
