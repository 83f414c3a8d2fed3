// Typed reads of the plugin's own routes. Stateless: who asks owns the answer and the AbortSignal.
import { Service } from '@angular/core';
import { ApiError } from './api-error';
import type { components, paths } from './schema';

/** A route of docs/openapi.json, as written there ("/runs"). */
export type ApiPath = keyof paths;

/** A payload struct of docs/openapi.json by name: `Schema<'Alert'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Read<P extends ApiPath> = paths[P]['get'];

/** What a route answers. */
export type Payload<P extends ApiPath> =
  Read<P> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : never;

/** The query parameters of a route; `undefined` for a route without any. */
export type Query<P extends ApiPath> =
  Read<P> extends { parameters: { query?: infer Q } } ? Q : undefined;

/** The query may be left out only where no parameter is required. */
type QueryArguments<P extends ApiPath> = [Exclude<Query<P>, undefined>] extends [never]
  ? [query?: null]
  : Record<never, never> extends Exclude<Query<P>, undefined>
    ? [query?: Exclude<Query<P>, undefined>]
    : [query: Exclude<Query<P>, undefined>];

/** An answer that is asked for again and again. */
export interface Repeated<P extends ApiPath> {
  readonly text: string;
  readonly payload: Payload<P>;
}

@Service()
export class ApiClient {
  /**
   * Reads a route: `client.get('/alerts', signal, {run, begin: 0, end: 200})`.
   * Its URL is relative to the frame's base, so path prefixes and experiments are kept.
   */
  async get<P extends ApiPath>(
    path: P,
    signal: AbortSignal | null,
    ...[query]: QueryArguments<P>
  ): Promise<Payload<P>> {
    const url = urlOf(path, query ?? {});
    return parsed(url, await read(url, signal)) as Payload<P>;
  }

  /** Reads a route once more: the former answer itself where it is the same, without looking into it. */
  async getAgain<P extends ApiPath>(
    path: P,
    signal: AbortSignal | null,
    former: Repeated<P> | null,
    ...[query]: QueryArguments<P>
  ): Promise<Repeated<P>> {
    const url = urlOf(path, query ?? {});
    const text = await read(url, signal);
    return text === former?.text ? former : { text, payload: parsed(url, text) as Payload<P> };
  }
}
/** The text of a successful answer. */
async function read(url: string, signal: AbortSignal | null): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { signal, headers: { accept: 'application/json' } });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('network', 'TensorBoard does not answer. Is it still running?', 0);
  }
  if (!response.ok) throw failure(response.status, text);
  return text;
}

function parsed(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed', `The answer to ${url} is not JSON.`, 200);
  }
}

function urlOf(path: ApiPath, query: object): string {
  return path.slice(1) + queryString(query);
}

function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (one !== undefined && one !== null) parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

function failure(status: number, text: string): ApiError {
  let detail: Schema<'ErrorDetail'> | undefined;
  try {
    detail = (JSON.parse(text) as Partial<Schema<'ErrorPayload'>> | null)?.error;
  } catch {
    // Not of this plugin: a proxy's page.
  }
  return detail
    ? new ApiError(detail.code, detail.message, status)
    : new ApiError('malformed', `The server answered ${status} without saying why.`, status);
}
