import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { derivedId } from '@tapedeck/kernel';
import { asAccount } from '@tapedeck/platform/testing';
import { createColumnarEngine } from '@tapedeck/columnar/engine';
import type { RequestOptions, SearchAnswer } from '@tapedeck/search-engine/engine';
import { randomRows, seededRandom } from '@tapedeck/search-engine/testing';
import { explorerRoutes } from './contract.ts';
import { startEngineOverHttp, type EngineOverHttp } from './testing/engine-over-http.ts';

const maxInFlight = 128;
/** One client may use as many places as it leaves free. */
const maxOfOneClient = maxInFlight / 2;

type Answer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>;

let http: EngineOverHttp;
let agent: Agent;
let isBusy = false;
let received: RequestOptions[] = [];
let openGate = (): void => {};

beforeEach(async () => {
  isBusy = false;
  received = [];
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  const engine = createColumnarEngine();
  let answer: Promise<SearchAnswer> | undefined;
  await engine.load(randomRows(seededRandom(31), 200));
  http = await startEngineOverHttp({
    ...engine,
    isBusy: () => isBusy,
    search: async (query, options = {}) => {
      received.push(options);
      await gate;
      options.signal?.throwIfAborted();
      // All ask the same: how long the engine takes for them must not decide here.
      answer ??= engine.search(query);
      return answer;
    },
  });
  agent = new Agent({ keepAlive: true });
});
afterEach(async () => {
  openGate();
  agent.destroy();
  await http.close();
});

/** The account stands for a session here; a visitor has none. */
const send = (path: string, account: string | null, signal?: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = account === null ? {} : { [asAccount]: derivedId(account) };
    get(`${http.url}${path}`, { headers, agent, ...(signal ? { signal } : {}) }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    }).once('error', reject);
  });

const explore = (account: string, times: number, signal?: AbortSignal): readonly Promise<Answer>[] =>
  Array.from({ length: times }, () => send(explorerRoutes.explore, account, signal));

const requestsOf = (account: string): number =>
  received.filter(({ client }) => client === `session ${derivedId(account)}`).length;
const untilEntered = (account: string, times: number): Promise<void> =>
  eventually(() => expect(requestsOf(account)).toBe(times));

const expectBusy = ({ status, headers, body }: Answer): void => {
  expect(status).toBe(503);
  expect(headers).toMatchObject({
    'retry-after': '1',
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(JSON.parse(body)).toMatchObject({
    status: 503,
    code: 'SEARCH_BUSY',
    requestId: headers['request-id'],
  });
};

describe('an engine that is held up', () => {
  it('lets a session have some requests under way and refuses further ones at once', async () => {
    const waiting = explore('busy', maxOfOneClient);
    await untilEntered('busy', maxOfOneClient);
    for (const answer of await Promise.all(explore('busy', 20))) expectBusy(answer);
    openGate();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    const [answer] = await Promise.all(explore('busy', 1));
    expect(answer?.status).toBe(200);
    expect(requestsOf('busy')).toBe(maxOfOneClient + 1);
  });

  it('takes the requests of another session, and says that the process lives', async () => {
    const waiting = explore('busy', maxOfOneClient);
    await untilEntered('busy', maxOfOneClient);
    const other = explore('sparse', 1);
    await untilEntered('sparse', 1);
    expect((await send('/health/live', null)).status).toBe(200);
    openGate();
    for (const { status } of await Promise.all([...other, ...waiting])) expect(status).toBe(200);
  });

  it('has places again for a session whose connections were closed', async () => {
    const controller = new AbortController();
    const aborted = explore('busy', maxOfOneClient, controller.signal).map((request) =>
      request.catch(() => null),
    );
    await untilEntered('busy', maxOfOneClient);
    controller.abort();
    await Promise.all(aborted);
    await eventually(() => expect(received.every(({ signal }) => signal?.aborted)).toBe(true));
    const waiting = explore('busy', maxOfOneClient);
    await untilEntered('busy', maxOfOneClient * 2);
    openGate();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  });

  it('gets the time at which each request arrived', async () => {
    const before = performance.now();
    openGate();
    await Promise.all(explore('sparse', 1));
    const [{ arrivedAt = 0 } = {}] = received;
    expect(arrivedAt).toBeGreaterThan(before);
    expect(arrivedAt).toBeLessThan(performance.now());
  });
});

describe('an engine that would refuse', () => {
  it.each([
    explorerRoutes.explore,
    explorerRoutes.filtered,
    explorerRoutes.ranges,
    `${explorerRoutes.histogram}?field=likes`,
    `${explorerRoutes.quantileHistogram}?field=likes`,
    `${explorerRoutes.brush}?active=likes`,
    explorerRoutes.indicatorTotals,
    explorerRoutes.similar('Skyrex01'),
    `${explorerRoutes.compare}?ids=Skyrex01`,
    explorerRoutes.export,
  ])('is not asked: %s', async (path) => {
    isBusy = true;
    expectBusy(await send(path, 'sparse'));
    expect(received).toEqual([]);
  });
});
