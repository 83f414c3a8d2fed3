import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retraced } from '../alerts/pattern-samples';
import type { SelectedEvent } from '../state/view';
import { VersionsDialog } from './versions-dialog';

describe('the comparison of versions', () => {
  let fixture: ComponentFixture<VersionsDialog>;
  let page: HTMLElement;
  const picked: SelectedEvent[] = [];
  let closed: number;

  beforeEach(() => {
    HTMLDialogElement.prototype.showModal = vi.fn();
    HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
      this.dispatchEvent(new Event('close'));
    };
    picked.length = 0;
    closed = 0;
    fixture = TestBed.createComponent(VersionsDialog);
    fixture.componentRef.setInput('pattern', retraced([1, 2]));
    fixture.componentInstance.picked.subscribe((event) => picked.push(event));
    fixture.componentInstance.closed.subscribe(() => closed++);
    fixture.detectChanges();
    page = fixture.nativeElement as HTMLElement;
  });

  afterEach(() => {
    fixture.destroy();
  });

  it('shows the versions one below the other, with a mark where they differ', () => {
    const rows = [...page.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent.replace(/\s+/g, ' ').trim()),
    );
    expect(page.querySelector('h2')?.textContent.trim()).toBe('2 versions of f');
    expect(rows).toEqual([
      ['1', 'float32 [1]', '', '#2', '1', 'train.py:13'],
      ['2', '≠float32 [2]', 'x', '#4', '1', 'train.py:13'],
    ]);
  });

  it('closes and selects the first call of a version', () => {
    page.querySelectorAll<HTMLElement>('.link-button')[1]?.click();
    expect(picked).toEqual([{ kind: 'execution', index: 4 }]);
    expect(closed).toBe(1);
  });
});
