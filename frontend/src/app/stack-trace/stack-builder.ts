// Stacks for specs, written as text: stack('train.py:30', 'tf/ops.py:5', null). Files of tf/ and keras/ are libraries',
// "?:13" is a frame whose file is not recorded, null a frame that is not.
import type { Schema } from '../api/client';

const LIBRARIES: Record<string, string> = { tf: 'TensorFlow', keras: 'Keras', '?': 'unknown' };

export function stack(...frames: (string | null)[]): Schema<'StackTrace'> {
  const built = frames.map((text, place) => frame(text, place));
  const user = built.findLastIndex(({ source, library }) => source !== null && library === null);
  return { host_name: 'vm', frames: built, innermost_user_frame: user < 0 ? null : user };
}

function frame(text: string | null, place: number): Schema<'StackFrame'> {
  const id = `frame ${place} ${text}`;
  if (text === null) return { stack_frame_id: id, source: null, library: null };
  const [path = '', line = ''] = text.split(':');
  const recorded = path !== '?';
  return {
    stack_frame_id: id,
    source: {
      host_name: recorded ? 'vm' : null,
      file_path: recorded ? path : '(file not recorded)',
      lineno: Number(line),
      function: `f${line}`,
      file_index: recorded ? 0 : null,
    },
    library: LIBRARIES[path.split('/')[0] ?? ''] ?? null,
  };
}
