import { describe, expect, it } from 'vitest';
import { whyUncaptured } from './uncaptured';

describe('why a file has no text', () => {
  it.each([
    ['/home/dev/project/<ipython-input-3-0123456789ab>', 'a cell of a notebook'],
    ['/tmp/ipykernel_4242/1234567890.py', 'a cell of a notebook'],
    ['/home/dev/project/<string>', 'run from a string'],
    ['<stdin>', 'typed at the prompt'],
    ['<frozen importlib._bootstrap>', 'built into Python'],
    ['<attrs generated init>', 'while the program ran'],
    ['/home/dev/ipykernel_notes/train.py', 'could not read'],
  ])('%s', (path, reason) => expect(whyUncaptured(path)).toContain(reason));
});
