import { afterEach, describe, expect, it, vi } from 'vitest';
import { HostMessages } from './host-messages';

describe('HostMessages', () => {
  let hostPort: MessagePort;
  let messages: HostMessages;

  function shakeHands(): unknown[] {
    const replies: unknown[] = [];
    const parent = {
      postMessage: (message: unknown, _origin: unknown, [port]: MessagePort[] = []) => {
        expect(message).toBe('experimental.bootstrap');
        if (port) hostPort = port;
      },
    };
    messages = new HostMessages(parent as unknown as Window);
    hostPort.onmessage = ({ data }) => replies.push(JSON.parse(String(data)));
    return replies;
  }

  afterEach(() => {
    messages.dispose();
    hostPort.close();
  });

  it('counts reloads and replies to each', async () => {
    const replies = shakeHands();
    hostPort.postMessage(
      JSON.stringify({ type: 'experimental.DataReloaded', id: 7, payload: null, isReply: false }),
    );
    await vi.waitFor(() => expect(replies).toHaveLength(1));
    expect(messages.reloads()).toBe(1);
    expect(replies[0]).toMatchObject({ type: 'experimental.DataReloaded', id: 7, isReply: true });
  });

  it('survives junk', async () => {
    const replies = shakeHands();
    for (const junk of ['{', 'null', 5, { type: 'x' }]) hostPort.postMessage(junk);
    hostPort.postMessage(JSON.stringify({ type: 'unknown', id: 1, isReply: false }));
    await vi.waitFor(() => expect(replies).toHaveLength(1));
    expect(messages.reloads()).toBe(0);
  });
});
