import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyBindings } from './keyboard';

describe('KeyBindings', () => {
  let keys: KeyBindings;
  let done: string[];

  function bind(key: string, name: string, within?: Element): () => void {
    const run = () => void done.push(name);
    return keys.register([{ key, effect: name, run, ...(within && { within }) }]);
  }

  function press(key: string, target: Element = document.body, init: KeyboardEventInit = {}) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
    target.dispatchEvent(event);
    return event;
  }

  beforeEach(() => {
    keys = new KeyBindings();
    done = [];
    document.addEventListener('keydown', keys.answer);
    document.body.innerHTML =
      '<input id="in"><input id="box" type="checkbox"><div id="a"><p id="p">';
  });

  afterEach(() => document.removeEventListener('keydown', keys.answer));

  const element = (id: string) => document.getElementById(id) as HTMLElement;

  it('answers a key and takes it', () => {
    bind('n', 'next');
    expect(press('n').defaultPrevented).toBe(true);
    expect(press('x').defaultPrevented).toBe(false);
    expect(done).toEqual(['next']);
  });

  it('asks the pane with the focus before the page', () => {
    bind('g', 'go to an execution', element('a'));
    bind('g', 'go to a trace');
    press('g', element('p'));
    press('g');
    expect(done).toEqual(['go to an execution', 'go to a trace']);
  });

  it('leaves keys to a field that takes text, and Escape leaves the field', () => {
    bind('n', 'next');
    bind('Escape', 'close');
    element('in').focus();
    press('n', element('in'));
    press('Escape', element('in'));
    expect(document.activeElement).not.toBe(element('in'));
    expect(done).toEqual([]);
    press('n', element('box'));
    expect(done).toEqual(['next']);
  });

  it('leaves keys with modifiers to the browser', () => {
    bind('n', 'next');
    press('n', document.body, { ctrlKey: true });
    press('n', document.body, { metaKey: true });
    expect(done).toEqual([]);
  });

  it('answers within an element only while the focus is there', () => {
    bind('ArrowDown', 'row', element('a'));
    press('ArrowDown');
    press('ArrowDown', element('p'));
    expect(done).toEqual(['row']);
  });

  it('asks the latest first and goes on where it has nothing to do', () => {
    bind('Escape', 'first');
    const forget = bind('Escape', 'second');
    press('Escape');
    forget();
    press('Escape');
    keys.register([{ key: 'Escape', effect: 'idle', run: () => false }]);
    press('Escape');
    expect(done).toEqual(['second', 'first', 'first']);
  });
});
