import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listTag, onSuccess } from './base-api.ts';
import { createBaseQuery, type ExtraOptions } from './base-query.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';
import type { ApiRequest } from './request.ts';
import type { Outcome } from './retry.ts';
import { createTapePosition } from './tape-position.ts';

/** With status 0 the connection is closed without an answer. */
type Reply = Readonly<{ status: number; body: string; headers?: Record<string, string> }>;

let server: Server;
let origin = '';
let reply: Reply = { status: 200, body: '{}' };
let outcomes: Outcome[] = [];
let received: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    if (reply.status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  outcomes = [];
  received = [];
});

const newQuery = (accountId?: string | null) => {
  const query = createBaseQuery({
    tape: createTapePosition({ getItem: () => null, setItem: () => undefined }, () => 0),
    keys: createIdempotencyKeys(() => 0),
    record: (outcome) => outcomes.push(outcome),
    session: { accountId: () => accountId },
  });
  return async (type: 'query' | 'mutation', request: ApiRequest, extra: ExtraOptions = {}) =>
    query(
      { ...request, url: origin + request.url },
      {
        signal: new AbortController().signal,
        abort: () => undefined,
        dispatch: (action: unknown) => action as never,
        getState: () => ({}),
        extra: undefined,
        endpoint: 'test',
        type,
      },
      extra,
    );
};

describe('createBaseQuery', () => {
  it.each([
    ['the account of the page', 'account-1', 'account-1'],
    ['no account for a visitor', null, undefined],
    ['no account while it is not known', undefined, undefined],
  ])('sends %s with each mutation, and none with a query', async (_what, accountId, expected) => {
    const send = newQuery(accountId);
    reply = { status: 200, body: '{}' };
    await send('mutation', { url: '/api/member/favorites', method: 'POST' });
    await send('query', { url: '/api/member/favorites' });
    expect(received.map(({ headers }) => headers['expected-account'])).toEqual([expected, undefined]);
  });

  it('sends a new idempotency key with each mutation and the newest seen tape position with each query', async () => {
    const send = newQuery();
    reply = { status: 201, body: '{"urlId":"a"}', headers: { 'tape-position': '41' } };
    await send('mutation', { url: '/api/member/favorites', method: 'POST', body: { urlId: 'a' } });
    reply = { status: 204, body: '', headers: { 'tape-position': '42' } };
    expect(await send('mutation', { url: '/api/member/favorites/a', method: 'DELETE' })).toEqual({
      data: null,
    });
    reply = { status: 200, body: '[]' };
    await send('query', { url: '/api/member/favorites', params: new URLSearchParams({ page: '2' }) });

    const [add, remove, read] = received;
    expect(add).toMatchObject({ method: 'POST', body: '{"urlId":"a"}' });
    expect(add?.headers['content-type']).toBe('application/json');
    expect(add?.headers['idempotency-key']).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(remove?.headers['idempotency-key']).not.toBe(add?.headers['idempotency-key']);
    expect(remove?.headers['content-type']).toBeUndefined();
    expect(read?.url).toBe('/api/member/favorites?page=2');
    expect(read?.headers['tape-position']).toBe('42');
    expect(read?.headers['idempotency-key']).toBeUndefined();
  });

  describe('sends a mutation again', () => {
    const add: ApiRequest = {
      url: '/api/things',
      method: 'POST',
      body: { id: 'a' },
      changes: '/api/things/a',
    };
    const remove: ApiRequest = { url: '/api/things/a', method: 'DELETE', changes: '/api/things/a' };
    const keysSent = (): readonly unknown[] =>
      received.map(({ headers }) => headers['idempotency-key']).filter((key) => key !== undefined);
    const numberOfKeys = (): number => new Set(keysSent()).size;

    it.each([408, 425, 429, 500, 502, 503, 504])('under the same key after the answer %i', async (status) => {
      const send = newQuery();
      reply = { status, body: '' };
      await send('mutation', add);
      await send('mutation', add);
      reply = { status: 201, body: '{}' };
      await send('mutation', add);
      expect([keysSent().length, numberOfKeys()]).toEqual([3, 1]);
    });

    it('under the same key when the answer did not arrive or was no answer of ours', async () => {
      const send = newQuery();
      reply = { status: 0, body: '' };
      expect(await send('mutation', add)).toMatchObject({ error: { status: 'network' } });
      reply = { status: 200, body: '<html>' };
      expect(await send('mutation', add)).toMatchObject({ error: { status: 'contract' } });
      await send('mutation', add);
      expect([keysSent().length, numberOfKeys()]).toEqual([3, 1]);
    });

    it.each([200, 204, 400, 401, 404, 409, 412])('under a new key after the answer %i', async (status) => {
      const send = newQuery();
      reply = { status, body: status === 204 ? '' : '{}' };
      await send('mutation', add);
      await send('mutation', add);
      expect([keysSent().length, numberOfKeys()]).toEqual([2, 2]);
    });

    it('under a new key when the thing was changed otherwise in between', async () => {
      const send = newQuery();
      reply = { status: 503, body: '' };
      for (const request of [add, remove, add]) await send('mutation', request);
      expect([keysSent().length, numberOfKeys()]).toEqual([3, 3]);
    });

    it('under the same key when other things were changed in between', async () => {
      const send = newQuery();
      reply = { status: 503, body: '' };
      const other = { ...add, body: { id: 'b' }, changes: '/api/things/b' };
      for (const request of [add, other, add]) await send('mutation', request);
      expect([keysSent().length, numberOfKeys()]).toEqual([3, 2]);
    });
  });

  it('sends the ETag of what it changes, and a new key when that is another one', async () => {
    const send = newQuery();
    const change: ApiRequest = { url: '/api/things/a', method: 'PUT', body: {}, ifMatch: '"1"' };
    reply = { status: 503, body: '' };
    for (const ifMatch of ['"1"', '"1"', '"2"']) await send('mutation', { ...change, ifMatch });
    const sent = received.map(({ headers }) => headers);
    expect(sent.map((headers) => headers['if-match'])).toEqual(['"1"', '"1"', '"2"']);
    const [first, again, other] = sent.map((headers) => headers['idempotency-key']);
    expect([first === again, again === other]).toEqual([true, false]);
  });

  it('sends a file as a form, under one key until another file is sent', async () => {
    const send = newQuery();
    const upload = (name: string): ApiRequest => {
      const body = new FormData();
      body.set('zipFile', new File(['content'], name, { lastModified: 1 }));
      return { url: '/api/files', method: 'POST', body };
    };
    reply = { status: 503, body: '' };
    for (const name of ['a.zip', 'a.zip', 'b.zip']) await send('mutation', upload(name));
    const [first, again, other] = received;
    expect(first?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(first?.body).toContain('name="zipFile"; filename="a.zip"');
    expect(again?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(other?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  it('returns the status and the message of a failed request', async () => {
    const send = newQuery();
    reply = { status: 503, body: '{"code":"BUSY","detail":"unavailable","requestId":"7f3a"}' };
    expect(await send('query', { url: '/' })).toEqual({
      error: {
        status: 503,
        message: '503: {"code":"BUSY","detail":"unavailable","requestId":"7f3a"}',
        title: 'Service Unavailable',
        code: 'BUSY',
        detail: 'unavailable',
        requestId: '7f3a',
      },
    });
    reply = { status: 404, body: '' };
    expect(await send('query', { url: '/' })).toEqual({
      error: { status: 404, message: '404: Not Found', title: 'Not Found' },
    });
    reply = { status: 503, body: '{"title":"Out of order"}' };
    expect(await send('query', { url: '/' })).toMatchObject({ error: { title: 'Out of order' } });
  });

  it('returns null for a 401 only if the endpoint asks for it', async () => {
    const send = newQuery();
    reply = { status: 401, body: 'sign in' };
    expect(await send('query', { url: '/' }, { nullOn401: true })).toEqual({ data: null });
    expect(await send('query', { url: '/' })).toMatchObject({
      error: { status: 401, message: '401: sign in' },
    });
  });

  it('records whether the server works, and when it wants to be asked again', async () => {
    const send = newQuery();
    for (const status of [200, 404, 500, 503]) {
      reply = { status, body: '{}', ...(status === 503 ? { headers: { 'retry-after': '7' } } : {}) };
      await send('query', { url: '/' });
    }
    reply = { status: 0, body: '' };
    await send('query', { url: '/' });
    expect(outcomes).toEqual([
      { isAnswered: true },
      { isAnswered: true },
      { isAnswered: false },
      { isAnswered: false, retryAfterSeconds: 7 },
      { isAnswered: false },
    ]);
  });

  it('distinguishes a malformed answer from no answer', async () => {
    const send = newQuery();
    reply = { status: 200, body: '<html>' };
    expect(await send('query', { url: '/' })).toMatchObject({ error: { status: 'contract' } });
    expect(await send('query', { url: ':1/not-a-port' })).toMatchObject({ error: { status: 'network' } });
  });
});

describe('tags', () => {
  it('are invalidated by a mutation that succeeded, not by one that failed', () => {
    const invalidates = onSuccess(listTag('Favourite'));
    expect(invalidates({}, undefined)).toEqual([{ type: 'Favourite', id: 'LIST' }]);
    expect(invalidates(undefined, { status: 500 })).toEqual([]);
  });
});
