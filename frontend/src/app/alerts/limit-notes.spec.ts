import { expect, it } from 'vitest';
import { limitNotes } from './limit-notes';

const CALL = 'tf.debugging.experimental.enable_dump_debug_info(dump_root, circular_buffer_size=-1)';

it('tells the call from the words, and says a call once', () => {
  expect(
    limitNotes([
      `Zeros are not counted. Record them with ${CALL}`,
      'Clocks disagree.',
      `Events are missing. Keep them with ${CALL}`,
    ]),
  ).toEqual([
    {
      call: CALL,
      sentences: [
        'Zeros are not counted. Record them with:',
        'Events are missing. Keep them with:',
      ],
    },
    { call: '', sentences: ['Clocks disagree.'] },
  ]);
});
