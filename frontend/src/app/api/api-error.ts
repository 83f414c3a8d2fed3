// The one failure of a request. Made by `ApiClient` only; panes show `message` and offer a retry.
import type { components } from './schema';

/** What the server says went wrong, or `network`/`malformed` where no answer of its shape came. */
export type ApiErrorCode = components['schemas']['ErrorDetail']['code'] | 'network' | 'malformed';

/** Every rejected request rejects with this, save an aborted one, which rejects with its `AbortError`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** The words to show for anything caught. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
