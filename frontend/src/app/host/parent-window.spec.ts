import { expect, it } from 'vitest';
import { reachableParent } from './parent-window';

it('reaches a parent of the same origin only', () => {
  const parent = { document: {} };
  expect(reachableParent({ parent } as unknown as Window)).toBe(parent);

  const foreign = {
    get document(): never {
      throw new DOMException('Blocked a frame', 'SecurityError');
    },
  };
  expect(reachableParent({ parent: foreign } as unknown as Window)).toBeNull();

  const top: { parent?: unknown; document: object } = { document: {} };
  top.parent = top;
  expect(reachableParent(top as unknown as Window)).toBeNull();
});
