import { expect, it } from 'vitest';
import { alertKinds } from './alert-kinds';

it('lists the kinds that occurred, unknown ones last and under their own name', () => {
  expect(alertKinds({})).toEqual([]);
  const kinds = alertKinds({ Novelty: 3, InfNanAlert: 123 });
  expect(kinds.map(({ title, count }) => [title, count])).toEqual([
    ['NaN/∞', 123],
    ['Novelty', 3],
  ]);
});
