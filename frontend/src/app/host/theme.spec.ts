import { afterEach, describe, expect, it, vi } from 'vitest';
import { Theme } from './theme';

function frameThatPrefers(dark: boolean): Window {
  const preference = Object.assign(new EventTarget(), { matches: dark });
  return { matchMedia: () => preference } as unknown as Window;
}

describe('Theme', () => {
  afterEach(() => document.body.removeAttribute('class'));

  it('follows the class of the parent, whatever the system prefers', async () => {
    const theme = new Theme(frameThatPrefers(true), window);
    expect(theme.dark()).toBe(false);
    document.body.classList.add('dark-mode');
    await vi.waitFor(() => expect(theme.dark()).toBe(true));
    theme.dispose();
    document.body.classList.remove('dark-mode');
    await Promise.resolve();
    expect(theme.dark()).toBe(true);
  });

  it('follows the system where no parent can be read', () => {
    const frame = frameThatPrefers(true);
    const theme = new Theme(frame, null);
    expect(theme.dark()).toBe(true);
    const preference = frame.matchMedia('') as unknown as EventTarget & { matches: boolean };
    preference.matches = false;
    preference.dispatchEvent(new Event('change'));
    expect(theme.dark()).toBe(false);
  });
});
