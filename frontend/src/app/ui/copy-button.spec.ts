import { TestBed } from '@angular/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { CopyButton } from './copy-button';

describe('CopyButton', () => {
  it('copies and says so for a moment', async () => {
    vi.useFakeTimers();
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const fixture = TestBed.createComponent(CopyButton);
    fixture.componentRef.setInput('text', '/logs/mlp');
    fixture.componentRef.setInput('what', 'the path');
    fixture.detectChanges();
    const button = (fixture.nativeElement as HTMLElement).querySelector('button');
    expect(button?.getAttribute('aria-label')).toBe('Copy the path');
    button?.click();
    await vi.advanceTimersByTimeAsync(10);
    fixture.detectChanges();
    expect(writeText).toHaveBeenCalledWith('/logs/mlp');
    expect(button?.getAttribute('aria-label')).toBe('Copied');
    await vi.advanceTimersByTimeAsync(3000);
    fixture.detectChanges();
    expect(button?.getAttribute('aria-label')).toBe('Copy the path');
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
});
