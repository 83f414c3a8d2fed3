import { describe, expect, it, vi } from 'vitest';
import { takeIdleKeyboard } from './frame-focus';

describe('takeIdleKeyboard', () => {
  function frameIn(parent: Window | null) {
    const frame = { focus: vi.fn(), frameElement: null } as unknown as Window;
    takeIdleKeyboard(frame, parent);
    return frame.focus;
  }

  it('takes the keyboard where nobody has it', () => {
    (document.activeElement as HTMLElement | null)?.blur();
    expect(frameIn(window)).toHaveBeenCalled();
    expect(frameIn(null)).toHaveBeenCalled();
  });

  it('leaves it to a field of the page around', () => {
    document.body.innerHTML = '<input>';
    document.querySelector('input')?.focus();
    expect(frameIn(window)).not.toHaveBeenCalled();
  });
});
