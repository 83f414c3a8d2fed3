import { describe, expect, it } from 'vitest';
import { applyChanges, readEntries, showsThisPlugin, writeEntries } from './hash-entries';

describe('the entries of the hash', () => {
  it('are those with the prefix of the plugin', () => {
    const entries = readEntries('#tb_debugger&p.tb_debugger.run=a/b%20c&p.other.run=x&tag=y');
    expect([...entries]).toEqual([['run', 'a/b c']]);
  });

  it('are written behind everything that belongs to others', () => {
    const hash = writeEntries(
      '#tb_debugger&p.tb_debugger.run=old&p.other.k=1%2C2',
      new Map([['run', 'a/b&c=d']]),
    );
    expect(hash).toBe('#tb_debugger&p.other.k=1%2C2&p.tb_debugger.run=a/b%26c%3Dd');
    expect(readEntries(hash).get('run')).toBe('a/b&c=d');
  });

  it('name the plugin where the hash does not', () => {
    expect(writeEntries('', new Map([['run', '.']]))).toBe('#tb_debugger&p.tb_debugger.run=.');
  });

  it('survive junk', () => {
    expect([...readEntries('#&&=&p.tb_debugger.run=%E0%A4%A&p.tb_debugger.x')]).toEqual([
      ['run', '%E0%A4%A'],
      ['x', ''],
    ]);
  });

  it('change one by one', () => {
    const entries = new Map([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect([...applyChanges(entries, { a: null, c: '3' })]).toEqual([
      ['b', '2'],
      ['c', '3'],
    ]);
  });
});

it('knows whose tab the hash shows', () => {
  expect(showsThisPlugin('#scalars&p.tb_debugger.run=x')).toBe(false);
  expect(showsThisPlugin('#tb_debugger')).toBe(true);
  expect(showsThisPlugin('')).toBe(true);
});
