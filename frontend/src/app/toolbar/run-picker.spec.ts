import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../api/client';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { RunPicker } from './run-picker';

/** The button that shows a run of a logdir. */
async function shown(run: string | null, logdir: string): Promise<HTMLButtonElement> {
  TestBed.configureTestingModule({
    providers: [
      { provide: ApiClient, useValue: { get: () => Promise.resolve({ logdir }) } },
      { provide: Runs, useValue: { selected: () => null } },
      { provide: Selection, useValue: { run: signal(run) } },
    ],
  });
  const fixture = TestBed.createComponent(RunPicker);
  await fixture.whenStable();
  return (fixture.nativeElement as HTMLElement).querySelector('button') as HTMLButtonElement;
}

describe('the run picker', () => {
  it('shows the name of the run', async () => {
    const button = await shown('mlp/lr 0.1', '/logs');
    expect(button.textContent).toContain('mlp/lr 0.1');
    expect(button.querySelector('[title]')?.getAttribute('title')).toBe('mlp/lr 0.1');
  });

  it('shows the folder’s name, and its path as a tooltip, where the logdir itself is the run', async () => {
    const button = await shown('.', '/logs/digits');
    expect(button.textContent).toContain('digits');
    expect(button.getAttribute('aria-label')).toBe('Run digits, choose another');
    expect(button.querySelector('[title]')?.getAttribute('title')).toBe('/logs/digits');
  });

  it('says that there is none', async () => {
    expect((await shown(null, '/logs')).textContent).toContain('No run');
  });
});
