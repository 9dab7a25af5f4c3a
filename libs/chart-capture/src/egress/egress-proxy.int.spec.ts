import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDestinations } from './destinations.ts';
import { openEgressProxy, type EgressProxy } from './egress-proxy.ts';

let site: Server;
let port: number;
const seen: string[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    seen.push(
      `${request.method} ${request.url} ${request.headers.host} ${String(request.headers['x-a'] ?? '')}`,
    );
    if (request.url === '/large') return void response.end(Buffer.alloc(200_000));
    if (request.url === '/to-private')
      return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    return void response.writeHead(200, { 'x-b': '1', 'keep-alive': 'timeout=9' }).end('hello');
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  port = (site.address() as AddressInfo).port;
});
afterAll(() => {
  site.close();
  site.closeAllConnections();
});

const withProxy = async <Result>(
  work: (proxy: EgressProxy, tooMuch: () => number) => Promise<Result>,
  maxBytes = 1_000_000,
): Promise<Result> => {
  let tooMuch = 0;
  const proxy = await openEgressProxy({
    destinations: createDestinations(`http://127.0.0.1:${port}`, []),
    maxBytes,
    onTooMuch: () => void tooMuch++,
  });
  try {
    return await work(proxy, () => tooMuch);
  } finally {
    await proxy.close();
  }
};

type Answer = Readonly<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>;

const via = (proxy: EgressProxy, target: string, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port: proxyPort } = new URL(proxy.url);
    const sent = httpRequest({
      host: hostname,
      port: proxyPort,
      method,
      path: target,
      headers: { 'x-a': '1' },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString('latin1')));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.end();
  });

/** What a proxy answers to bytes. */
const raw = async (proxy: EgressProxy, bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (part: Buffer) => (answer += part.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
};

describe('the egress proxy', () => {
  it('sends a request on to the one site, and the answer back', () =>
    withProxy(async (proxy) => {
      const answer = await via(proxy, `http://127.0.0.1:${port}/page?x=1`);
      expect(answer).toMatchObject({ status: 200, body: 'hello', headers: { 'x-b': '1' } });
      expect(seen).toContain(`GET /page?x=1 127.0.0.1:${port} 1`);
      expect(proxy.refused()).toEqual([]);
    }));

  it('refuses everything else, and names it', () =>
    withProxy(async (proxy) => {
      const before = seen.length;
      const targets = [
        'http://10.0.0.1/',
        `http://localhost:${port}/`,
        `http://user@127.0.0.1:${port}/`,
        `http://127.0.0.1:${port + 1}/`,
        `https://127.0.0.1:${port}/`,
        'ftp://127.0.0.1/',
        '/page',
        'http://',
      ];
      for (const target of targets) expect((await via(proxy, target)).status).toBe(403);
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
        expect((await via(proxy, `http://127.0.0.1:${port}/`, method)).status).toBe(403);
      expect(seen.length).toBe(before);
      expect(proxy.refused()).toContain('GET 10.0.0.1');
    }));

  it('hands on a redirect, and refuses to follow it', () =>
    withProxy(async (proxy) => {
      const { status, headers } = await via(proxy, `http://127.0.0.1:${port}/to-private`);
      expect([status, headers.location]).toEqual([302, 'http://10.0.0.1/']);
      expect((await via(proxy, String(headers.location))).status).toBe(403);
    }));

  it('opens no tunnel to a site that is http, nor to any other, nor a WebSocket', () =>
    withProxy(async (proxy) => {
      const before = seen.length;
      for (const target of [
        `127.0.0.1:${port}`,
        '127.0.0.1:22',
        '[::1]:443',
        '169.254.169.254:80',
        'x/y:1',
        '',
      ])
        expect(await raw(proxy, `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(
          /^(HTTP\/1\.1 40[03] |$)/,
        );
      const upgrade = `GET http://127.0.0.1:${port}/ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
      expect(await raw(proxy, upgrade)).toBe('');
      expect(seen.length).toBe(before);
    }));

  it('ends everything when a page has loaded too much, and says so once', () =>
    withProxy(async (proxy, tooMuch) => {
      expect((await via(proxy, `http://127.0.0.1:${port}/page`)).status).toBe(200);
      await expect(via(proxy, `http://127.0.0.1:${port}/large`)).rejects.toThrow(
        /socket hang up|aborted|ECONNRESET/,
      );
      await via(proxy, `http://127.0.0.1:${port}/large`).catch(() => undefined);
      expect(tooMuch()).toBe(1);
    }, 100_000));

  it('answers 502 when the site does not answer', async () => {
    const proxy = await openEgressProxy({
      destinations: createDestinations('http://127.0.0.1:9', []),
      maxBytes: 1_000,
      onTooMuch: () => undefined,
    });
    expect((await via(proxy, 'http://127.0.0.1:9/')).status).toBe(502);
    await proxy.close();
  });
});
