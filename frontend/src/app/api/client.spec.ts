import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from './client';

function answer(status: number, body: string): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(() => Promise.resolve(new Response(body, { status })));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

describe('ApiClient', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('reads a route relative to the base of the frame', async () => {
    const fetched = answer(200, '{"begin":0}');
    const page = await new ApiClient().get('/alerts', null, { run: 'a/b c', begin: 0, end: 5 });
    expect(page).toEqual({ begin: 0 });
    expect(fetched.mock.calls[0]?.[0]).toBe('alerts?run=a%2Fb+c&begin=0&end=5');
  });

  it('leaves out parameters that are undefined', async () => {
    const fetched = answer(200, '{}');
    await new ApiClient().get('/execution/overview', null, { run: '.' });
    expect(fetched.mock.calls[0]?.[0]).toBe('execution/overview?run=.');
  });

  it('answers with the former answer itself where nothing has changed', async () => {
    answer(200, '{"mlp":{"status":"live"}}');
    const client = new ApiClient();
    const first = await client.getAgain('/runs', null, null);
    expect(first.payload).toEqual({ mlp: { status: 'live' } });
    answer(200, '{"mlp":{"status":"live"}}');
    expect(await client.getAgain('/runs', null, first)).toBe(first);
    answer(200, '{"mlp":{"status":"complete"}}');
    const second = await client.getAgain('/runs', null, first);
    expect(second.payload).toEqual({ mlp: { status: 'complete' } });
  });

  it('tells the code and the words of the server', async () => {
    answer(404, '{"error":{"code":"not_found","message":"No run named x"}}');
    await expect(new ApiClient().get('/runs', null)).rejects.toMatchObject({
      code: 'not_found',
      message: 'No run named x',
      status: 404,
    });
  });

  it('has words for an answer of another shape', async () => {
    answer(502, '<html>Bad gateway</html>');
    await expect(new ApiClient().get('/runs', null)).rejects.toMatchObject({
      code: 'malformed',
      status: 502,
    });
    answer(200, '<html></html>');
    await expect(new ApiClient().get('/runs', null)).rejects.toMatchObject({ code: 'malformed' });
  });

  it('tells a server that is gone from a request that was aborted', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(new ApiClient().get('/runs', null)).rejects.toMatchObject({ code: 'network' });

    const controller = new AbortController();
    controller.abort();
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('aborted', 'AbortError')));
    await expect(new ApiClient().get('/runs', controller.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
