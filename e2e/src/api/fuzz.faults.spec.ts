import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identityRoutes } from '@tapedeck/identity/contract';
import { testSeed } from '@tapedeck/eventing/testing';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { fuzzRequests, type FuzzRequest } from './fuzz/requests.ts';

const requests = 5_200;
const atOnce = 4;
const maxReadCharacters = 4_000_000;

const seed = testSeed();

let folder: ReturnType<typeof temporaryFolder>;
let product: Product;
let cookie = '';

/** Without a body when that is compressed. */
type Answer = Readonly<{ status: number; contentType: string; body: string | undefined }>;

/** The answer; the start of it if it does not end. */
const send = ({ method, target, headers, body, isMember }: FuzzRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const url = new URL(product.url);
    const request = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        method,
        path: target,
        headers: {
          ...headers,
          ...(isMember ? { cookie } : {}),
          host: url.host,
          // Else Node.js sends the body of some methods without its length, as if it were a request of its own.
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        // Without reuse: a connection that the server closes meanwhile would look like a failure.
        agent: false,
        // A request that hangs fails the test.
        timeout: 15_000,
      },
      (response) => {
        const { statusCode: status = 0 } = response;
        const contentType = response.headers['content-type'] ?? '';
        let text = '';
        const isReadable = response.headers['content-encoding'] === undefined;
        const done = (): void => resolve({ status, contentType, body: isReadable ? text : undefined });
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          // A stream of events never ends.
          if (text.length > maxReadCharacters || contentType.startsWith('text/event-stream'))
            response.destroy();
        });
        response.once('close', done);
        if (contentType.startsWith('text/event-stream')) response.destroy();
      },
    );
    let isSent = false;
    request.once('finish', () => {
      isSent = true;
    });
    request.on('timeout', () => request.destroy(new Error('no answer within 15 s')));
    // The server may refuse a large body before it was sent.
    request.on('error', (error) => (isSent || method === 'GET' ? reject(error) : resolve(tooLarge)));
    request.end(body);
  });

const tooLarge: Answer = {
  status: 413,
  contentType: 'application/json',
  body: JSON.stringify({ type: '', title: '', status: 413, detail: '', code: '', requestId: '' }),
};

const shown = ({ method, target, headers, body, isMember }: FuzzRequest): string =>
  `${isMember ? 'member' : 'visitor'} ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${String(body).slice(0, 200)}`;

beforeAll(async () => {
  folder = temporaryFolder();
  product = await startProduct({ dataFolder: folder.path, env: { DEMO_CATALOGUE: '60' } });
  const browser = createBrowser();
  await browser.visit(`${product.url}${identityRoutes.login}?login_hint=pro@tapedeck.example&returnTo=/`);
  cookie = browser.cookieHeader(product.url);
}, 120_000);
afterAll(async () => {
  await product.stop();
  folder.remove();
});

describe('random requests to every operation', () => {
  it('are answered as the operation declares, never with a server error, and no process ends', async () => {
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const waiting = [...fuzzRequests(requests, seed)];
    const sent = waiting.length;
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const request = next;
        const answer = await send(request).catch((error: Error) => error.message);
        if (typeof answer === 'string') {
          failures.push(`${shown(request)}: ${answer}`);
          continue;
        }
        const { status, contentType, body } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const problems = body === undefined ? [] : request.problemsIn(status, contentType, body);
        if (status >= 500) failures.push(`${shown(request)}: ${status} ${body?.slice(0, 300)}`);
        else if (problems.length > 0) failures.push(`${shown(request)}: ${status} ${problems.join('; ')}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    process.stdout.write(`${sent} requests: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    expect(failures.slice(0, 10)).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(5_000);
    expect((await fetch(`${product.url}/health/ready`)).status).toBe(200);
    expect(product.output()).not.toMatch(/started again|has ended/);
  }, 180_000);
});
