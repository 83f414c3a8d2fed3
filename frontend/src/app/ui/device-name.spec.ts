import { expect, it } from 'vitest';
import { shortDevice } from './device-name';

it('shortens a device to what differs', () => {
  expect(shortDevice('/job:localhost/replica:0/task:0/device:CPU:0')).toBe('CPU:0');
  expect(shortDevice('TPU of old')).toBe('TPU of old');
});
