// The conversation with TensorBoard over a MessagePort, opened once for the life of the frame.
// Messages are JSON strings {type, id, payload, error, isReply}; each of the host's wants a reply of its type and id.
import { type Signal, signal } from '@angular/core';

export class HostMessages {
  /** How often the host has reloaded its data; a change means "look now". */
  readonly reloads: Signal<number>;
  readonly #port: MessagePort;

  /** `parent` is given the other end of the port; it need not be of the same origin. */
  constructor(parent: Pick<Window, 'postMessage'> | null) {
    const reloads = signal(0);
    this.reloads = reloads.asReadonly();
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseMessage(data);
      if (!message || message.isReply) return;
      if (message.type === 'experimental.DataReloaded') reloads.update((count) => count + 1);
      const reply = {
        type: message.type,
        id: message.id,
        payload: null,
        error: null,
        isReply: true,
      };
      this.#port.postMessage(JSON.stringify(reply));
    };
    parent?.postMessage('experimental.bootstrap', '*', [channel.port2]);
  }

  dispose(): void {
    this.#port.close();
  }
}

interface HostMessage {
  readonly type: string;
  readonly id: number;
  readonly isReply: boolean;
}

function parseMessage(data: unknown): HostMessage | null {
  try {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : null;
    return message !== null && typeof message === 'object' && 'type' in message
      ? (message as HostMessage)
      : null;
  } catch {
    return null;
  }
}
