import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from './client.ts';
import { isPassing, searchFailure, wrongServer } from './failures.ts';

let server: Server | undefined;

afterEach(async () => {
  const running = server;
  server = undefined;
  await new Promise((resolve) => (running ? running.close(resolve) : resolve(undefined)));
});

type Answer = Readonly<{ status: number; body?: object; product?: string }>;

/** What a search fails with on a server that answers everything like this. */
const failureOf = async ({ status, body = {}, product = 'Elasticsearch' }: Answer): Promise<unknown> => {
  const listening = createServer((_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': product });
    response.end(JSON.stringify(body));
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const client = createClient({ url: `http://127.0.0.1:${port}` });
  const failure = await client.search({ size: 0 }).then(
    () => undefined,
    (error: unknown) => error,
  );
  await client.close();
  return failure;
};

describe('a server that cannot be used', () => {
  it('is told by one sentence when it is another product', async () => {
    const error = await failureOf({ status: 200, product: 'Other' });
    expect(wrongServer(error)).toMatch(/^What answers at ELASTICSEARCH_URL is not Elasticsearch: set it/);
    expect(isPassing(error)).toBe(false);
    expect(searchFailure(error)).toMatchObject({ kind: 'unavailable', code: 'SEARCH_UNAVAILABLE' });
  });

  it('is told by one sentence when it does not understand the client', async () => {
    const error = await failureOf({ status: 400, body: { error: { type: 'media_type_header_exception' } } });
    expect(wrongServer(error)).toMatch(/does not understand this version of the client/);
  });

  it('is told by one sentence when it refuses the credentials', async () => {
    const error = await failureOf({ status: 401, body: { error: { reason: 'missing token' } } });
    expect(wrongServer(error)).toMatch(/refuses the credentials \(missing token\)/);
  });

  it.each([429, 502, 503, 504])('is away for now with status %i', async (status) => {
    const error = await failureOf({ status });
    expect([wrongServer(error), isPassing(error)]).toEqual([null, true]);
    expect(searchFailure(error)).toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
  });

  it('is away when nobody listens', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1' });
    const error: unknown = await client.search({ size: 0 }).catch((reason: unknown) => reason);
    expect(isPassing(error)).toBe(true);
    await client.close();
  });

  it('is not blamed for a question that it does not understand', async () => {
    const error = await failureOf({ status: 400, body: { error: { type: 'parsing_exception' } } });
    expect(searchFailure(error)).toBe(error);
  });
});
