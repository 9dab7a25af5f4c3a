import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors } from '@elastic/elasticsearch';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from './client.ts';
import { configurationProblem, isAnswer, isTransient, retryDelayMs, toSearchError } from './failures.ts';

let server: Server | undefined;

afterEach(async () => {
  const running = server;
  server = undefined;
  await new Promise((resolve) => (running ? running.close(resolve) : resolve(undefined)));
});

type Reply = Readonly<{ status: number; body?: object; product?: string }>;

/** The error of a search on a server that answers every request like this. */
const errorOf = async ({ status, body = {}, product = 'Elasticsearch' }: Reply): Promise<unknown> => {
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

describe('errors of the Elasticsearch server', () => {
  it('name the wrong product in one sentence', async () => {
    const error = await errorOf({ status: 200, product: 'Other' });
    expect(configurationProblem(error)).toMatch(
      /^What answers at ELASTICSEARCH_URL is not Elasticsearch: set it/,
    );
    expect(isTransient(error)).toBe(false);
    expect(toSearchError(error, false)).toMatchObject({ kind: 'unavailable', code: 'SEARCH_UNAVAILABLE' });
  });

  it('name an incompatible server version in one sentence', async () => {
    const error = await errorOf({ status: 400, body: { error: { type: 'media_type_header_exception' } } });
    expect(configurationProblem(error)).toMatch(/does not understand this version of the client/);
  });

  it('name refused credentials in one sentence', async () => {
    const error = await errorOf({ status: 401, body: { error: { reason: 'missing token' } } });
    expect(configurationProblem(error)).toMatch(/refuses the credentials \(missing token\)/);
  });

  it.each([502, 503, 504])('are transient with status %i', async (status) => {
    const error = await errorOf({ status });
    expect([configurationProblem(error), isTransient(error), isAnswer(error)]).toEqual([null, true, false]);
    expect(toSearchError(error, false)).toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
  });

  it.each([
    { status: 429 },
    { status: 429, body: { error: { type: 'circuit_breaking_exception' } } },
    { status: 503, body: { error: { root_cause: [{ type: 'es_rejected_execution_exception' }] } } },
    { status: 503, body: { error: { failed_shards: [{ reason: { type: 'circuit_breaking_exception' } }] } } },
    { status: 500, body: { error: { caused_by: { type: 'es_rejected_execution_exception' } } } },
  ])('mean that the server is busy when it has rejected the search: %j', async (reply) => {
    const error = await errorOf(reply);
    expect(isAnswer(error)).toBe(true);
    expect(toSearchError(error, false)).toMatchObject({ kind: 'unavailable', code: 'SEARCH_BUSY' });
  });

  it('mean that the server is busy when one search takes too long while it answers others', async () => {
    const error = new errors.TimeoutError('Request timed out');
    expect(toSearchError(error, false)).toMatchObject({ code: 'SEARCH_BUSY' });
    expect(toSearchError(error, true)).toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
  });

  it('are transient when nothing listens at the address', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1' });
    const error: unknown = await client.search({ size: 0 }).catch((reason: unknown) => reason);
    expect(isTransient(error)).toBe(true);
    await client.close();
  });

  it('stay as they are when the request is invalid', async () => {
    const error = await errorOf({ status: 400, body: { error: { type: 'parsing_exception' } } });
    expect(toSearchError(error, false)).toBe(error);
  });
});

describe('retryDelayMs', () => {
  it('doubles with every failure up to five seconds, and varies by half', () => {
    const delays = [0, 1, 2, 3, 6, 60].map((failures) => retryDelayMs(failures, () => 1));
    expect(delays).toEqual([100, 200, 400, 800, 5_000, 5_000]);
    expect(retryDelayMs(3, () => 0)).toBe(400);
  });
});
