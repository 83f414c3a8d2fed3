import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../api/client';
import { SearchedDirectories } from './searched-directories';

type Found = Schema<'LogdirSearch'>;

const FOUND: Found = {
  logdir: '/logs',
  searching: false,
  num_directories: 2,
  num_runs: 0,
  directories: [
    { path: '/logs', found: 'no tfdbg_events.* files (no files)', is_odd: false },
    { path: '/logs/a', found: 'no tfdbg_events.* files (1 other file)', is_odd: false },
  ],
};

function show(answer: Found | null, failure: string | null = null) {
  const fixture = TestBed.createComponent(SearchedDirectories);
  fixture.componentRef.setInput('search', {
    answer: () => answer && { payload: answer },
    failure: () => failure,
  });
  fixture.detectChanges();
  const page = fixture.nativeElement as HTMLElement;
  return { page, words: page.textContent.replace(/\s+/g, ' ') };
}

describe('Searched directories', () => {
  it('are listed with what was found in each', () => {
    const { words } = show(FOUND);
    expect(words).toContain('2 directories were searched: all at or below /logs.');
    expect(words).toContain('None holds files of the debugger');
    expect(words).toContain('/logs/a no tfdbg_events.* files (1 other file)');
  });

  it('are marked where something is wrong', () => {
    const odd = { path: '/logs/b', found: 'cannot be read: Permission denied', is_odd: true };
    const { page, words } = show({ ...FOUND, directories: [odd, ...FOUND.directories] });
    expect(words).toContain('What is marked could not be read, or was rejected:');
    expect(page.querySelectorAll('.odd')).toHaveLength(1);
    expect(page.querySelector('.odd')?.textContent).toContain('Permission denied');
    expect(page.querySelectorAll('tbd-mark')).toHaveLength(1);
  });

  it('are counted where they are too many to be listed', () => {
    expect(show({ ...FOUND, num_directories: 2002 }).words).toContain('2,000 directories more.');
  });

  it('are waited for, and said to be unknown', () => {
    expect(show(null).words).toContain('Loading…');
    expect(show(null, 'disk on fire').words).toContain('could not be loaded: disk on fire');
    expect(show({ ...FOUND, searching: true, directories: [] }).words).toContain(
      'Searching in /logs',
    );
  });
});
