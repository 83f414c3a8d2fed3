import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../api/client';
import { Mutes } from './mutes';
import { Selection } from './selection';

describe('Mutes', () => {
  const address = signal<string | null>(null);
  let failing: boolean;

  /** The page as it is opened at the address. */
  const open = async () => {
    TestBed.resetTestingModule();
    const get = vi.fn(() =>
      failing ? Promise.reject(new Error('no')) : Promise.resolve({ logdir: '/logs' }),
    );
    TestBed.configureTestingModule({
      providers: [
        { provide: ApiClient, useValue: { get } },
        {
          provide: Selection,
          useValue: { mutes: address, showMutes: (text: string | null) => address.set(text) },
        },
      ],
    });
    const mutes = TestBed.inject(Mutes);
    await vi.waitFor(() => expect(mutes.rules()).not.toBeNull());
    TestBed.tick();
    return mutes;
  };
  const settled = <Value>(value: Value): Value => {
    TestBed.tick();
    return value;
  };

  beforeEach(() => {
    localStorage.clear();
    address.set(null);
    failing = false;
  });

  it('are none at first, and say nothing in the address', async () => {
    const mutes = await open();
    expect([mutes.rules(), mutes.areOfLink(), address()]).toEqual([[], false, null]);
  });

  it('are kept in the browser and stand in the address', async () => {
    const mutes = await open();
    mutes.mute('op_type:Log');
    settled(mutes.mute('op:a'));
    expect(address()).toBe('op_type:Log\nop:a');
    address.set(null);
    expect((await open()).rules()).toEqual(['op_type:Log', 'op:a']);
    expect(address()).toBe('op_type:Log\nop:a');
  });

  it('are restored one by one, or all, and the last change can be taken back', async () => {
    const mutes = await open();
    for (const rule of ['op:a', 'op:b', 'op:c']) mutes.mute(rule);
    mutes.restore('op:b');
    expect(mutes.rules()).toEqual(['op:a', 'op:c']);
    mutes.restoreAll();
    expect(mutes.rules()).toEqual([]);
    expect(settled(address())).toBeNull();
    mutes.undo();
    expect(mutes.rules()).toEqual(['op:a', 'op:c']);
    expect(mutes.canUndo()).toBe(false);
  });

  it('of a link are in force, and the user’s own stay kept', async () => {
    (await open()).mute('op:mine');
    address.set('op:theirs');
    const mutes = await open();
    expect([mutes.rules(), mutes.areOfLink()]).toEqual([['op:theirs'], true]);
    settled(mutes.mute('op:more'));
    expect([address(), mutes.areOfLink(), mutes.own()]).toEqual([
      'op:theirs\nop:more',
      true,
      ['op:mine'],
    ]);
    settled(mutes.restoreAll());
    expect([address(), mutes.rules(), mutes.areOfLink()]).toEqual(['', [], true]);
    settled(mutes.takeOwn());
    expect([address(), mutes.rules(), mutes.areOfLink()]).toEqual(['op:mine', ['op:mine'], false]);
  });

  it('of a link become the user’s own when they are kept', async () => {
    (await open()).mute('op:mine');
    address.set('op:theirs');
    settled((await open()).keepLinks());
    address.set(null);
    expect((await open()).rules()).toEqual(['op:theirs']);
  });

  it('of a link go with it: an address without rules shows the user’s own', async () => {
    (await open()).mute('op:mine');
    address.set('op:theirs');
    const mutes = await open();
    mutes.mute('op:more');
    for (const typed of [null, 'op:mine']) {
      settled(address.set(typed));
      expect([address(), mutes.rules(), mutes.areOfLink()]).toEqual([
        'op:mine',
        ['op:mine'],
        false,
      ]);
      expect(mutes.canUndo()).toBe(false);
      settled(address.set('op:theirs'));
      expect([address(), mutes.rules(), mutes.areOfLink()]).toEqual([
        'op:theirs',
        ['op:theirs'],
        true,
      ]);
    }
  });

  it('of a link that were restored can be put back without becoming the user’s own', async () => {
    address.set('op:theirs');
    const mutes = await open();
    settled(mutes.restoreAll());
    expect([address(), mutes.rules()]).toEqual(['', []]);
    settled(mutes.undo());
    expect([address(), mutes.rules(), mutes.own()]).toEqual(['op:theirs', ['op:theirs'], []]);
  });

  it('of a link that the user decided against do not return with the history', async () => {
    (await open()).mute('op:mine');
    address.set('op:theirs');
    const mutes = await open();
    settled(mutes.takeOwn());
    settled(address.set('op:theirs'));
    expect([address(), mutes.rules()]).toEqual(['op:mine', ['op:mine']]);
  });

  it('of a link that is one’s own are one’s own', async () => {
    (await open()).mute('op:mine');
    const mutes = await open();
    expect([address(), mutes.areOfLink()]).toEqual(['op:mine', false]);
    mutes.mute('op:more');
    expect(mutes.own()).toEqual(['op:mine', 'op:more']);
  });

  it('stay when the user goes back to where others stood in the address', async () => {
    const mutes = await open();
    settled(mutes.mute('op:a'));
    settled(mutes.mute('op:b'));
    for (const former of ['op:a', null]) {
      address.set(former);
      TestBed.tick();
      expect([address(), mutes.rules(), mutes.areOfLink()]).toEqual([
        'op:a\nop:b',
        ['op:a', 'op:b'],
        false,
      ]);
    }
  });

  it('are left out of a link where they are none', async () => {
    address.set('op:a\nrubbish\nline:x');
    const mutes = await open();
    expect([mutes.rules(), address()]).toEqual([['op:a'], 'op:a']);
  });

  it('are what the page can do without knowing the logdir', async () => {
    failing = true;
    const mutes = await open();
    mutes.mute('op:a');
    expect(mutes.rules()).toEqual(['op:a']);
  });

  it('are bounded', async () => {
    const mutes = await open();
    for (let index = 0; index < 40; index++) mutes.mute(`op:${index}`);
    expect([mutes.rules()?.length, mutes.isFull()]).toEqual([32, true]);
  });
});
