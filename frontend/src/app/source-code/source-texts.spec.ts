import { describe, expect, it } from 'vitest';
import { SourceTexts } from './source-texts';

describe('SourceTexts', () => {
  it('reads a text once, and drops the one not used for longest', async () => {
    const texts = new SourceTexts();
    const reads: number[] = [];
    const get = (index: number, lines = ['import tensorflow']) =>
      texts.get(`run:${index}`, index, () => {
        reads.push(index);
        return Promise.resolve(lines);
      });
    for (const index of [0, 1, 2, 3, 4, 5, 6, 7]) await get(index);
    const again = await get(0);
    expect(again).toEqual({ index: 0, lines: ['import tensorflow'] });
    expect(reads).toHaveLength(8);
    await get(8);
    await get(0);
    expect(reads).toHaveLength(9);
    await get(1);
    expect(reads.at(-1)).toBe(1);
  });

  it('asks again for a text that has no lines', async () => {
    const texts = new SourceTexts();
    await texts.get('a', 0, () => Promise.resolve([]));
    expect((await texts.get('a', 0, () => Promise.resolve(['x']))).lines).toEqual(['x']);
  });
});
