import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostHash } from './host-hash';

describe('HostHash', () => {
  let hash: HostHash;

  beforeEach(() => {
    vi.useFakeTimers();
    window.history.replaceState(null, '', '#tb_debugger&smoothing=0.5');
    hash = new HostHash(window);
  });

  afterEach(() => {
    hash.dispose();
    vi.useRealTimers();
  });

  function goTo(address: string): void {
    window.history.replaceState(null, '', address);
    window.dispatchEvent(new Event('popstate'));
  }

  it('pushes a step and keeps what belongs to others', () => {
    const before = window.history.length;
    hash.push({ run: 'a' });
    expect(window.location.hash).toBe('#tb_debugger&smoothing=0.5&p.tb_debugger.run=a');
    expect(window.history.length).toBe(before + 1);
    expect(hash.entries().get('run')).toBe('a');
  });

  it('pushes no step where nothing changes', () => {
    hash.push({ run: 'a' });
    const before = window.history.length;
    hash.push({ run: 'a', at: null });
    expect(window.history.length).toBe(before);
  });

  it('replaces at once for the page and soon in the address', () => {
    const before = window.history.length;
    for (let index = 0; index < 500; index++) hash.replace({ at: `trace:${index}` });
    expect(hash.entries().get('at')).toBe('trace:499');
    vi.advanceTimersByTime(1000);
    expect(window.location.hash).toContain('at=trace:499');
    expect(window.history.length).toBe(before);
  });

  it('writes a waiting replacement before it pushes', () => {
    const written = vi.spyOn(window.history, 'replaceState');
    hash.replace({ at: 'trace:1' });
    hash.push({ at: 'trace:2' });
    expect(written.mock.calls[0]?.[2]).toContain('trace:1');
    expect(window.location.hash).toContain('trace:2');
    written.mockRestore();
  });

  it('follows back and forward', () => {
    hash.push({ run: 'a' });
    goTo('#tb_debugger&p.tb_debugger.run=b');
    expect(hash.entries().get('run')).toBe('b');
  });

  it('keeps a waiting replacement when the address is only written otherwise', () => {
    hash.push({ at: 'trace:1' });
    hash.replace({ infnan: '1' });
    goTo('#tb_debugger&smoothing=0.5&p.tb_debugger.at=trace%3A1');
    expect(hash.entries().get('infnan')).toBe('1');
    vi.advanceTimersByTime(1000);
    expect(window.location.hash).toContain('infnan=1');
  });

  it('keeps its view while another tab is shown and restores it on return', () => {
    hash.push({ run: 'a' });
    goTo('#scalars');
    hash.push({ run: 'c' });
    expect(window.location.hash).toBe('#scalars');
    goTo('#tb_debugger');
    expect(hash.entries().get('run')).toBe('c');
    expect(window.location.hash).toBe('#tb_debugger&p.tb_debugger.run=c');
  });

  it('follows the tab’s bare address that the user types while it is shown', () => {
    hash.push({ run: 'a', mute: 'op:theirs' });
    goTo('#scalars');
    goTo('#tb_debugger');
    expect(hash.entries().size).toBe(2);
    goTo('#tb_debugger&smoothing=0.5');
    expect(hash.entries().size).toBe(0);
  });

  it('goes on where the address cannot be written', () => {
    const refused = vi.spyOn(window.history, 'pushState').mockImplementation(() => {
      throw new DOMException('too many', 'SecurityError');
    });
    hash.push({ run: 'a' });
    expect(hash.entries().get('run')).toBe('a');
    refused.mockRestore();
  });
});
