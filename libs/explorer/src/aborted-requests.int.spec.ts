import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestOptions, SearchEngine, SearchHit } from '@tapedeck/search-engine/engine';
import { explorerRoutes } from './contract.ts';
import { startEngineOverHttp, type EngineOverHttp } from './testing/engine-over-http.ts';

let reportCall: (options: RequestOptions) => void = () => {};
const nextCall = (): Promise<RequestOptions> => new Promise((resolve) => (reportCall = resolve));

/** Never answers; rejects when the request is aborted. */
const pending = (options: RequestOptions = {}): Promise<never> =>
  new Promise((_, reject) => {
    options.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    reportCall(options);
  });

/** Answers only a request for one similar strategy, with none. */
const engine: SearchEngine = {
  search: (_, options) => pending(options),
  brush: (_, options) => pending(options),
  countIndicators: (_, options) => pending(options),
  list: async function* (): AsyncGenerator<readonly SearchHit[]> {},
  similar: (_urlId, limit, options = {}) => {
    if (limit > 1) return pending(options);
    reportCall(options);
    return Promise.resolve([]);
  },
};

let http: EngineOverHttp;

beforeAll(async () => {
  http = await startEngineOverHttp(engine);
});
afterAll(() => http.close());

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

describe('a request whose connection closes', () => {
  it.each([
    explorerRoutes.explore,
    explorerRoutes.filtered,
    explorerRoutes.ranges,
    `${explorerRoutes.histogram}?field=likes`,
    `${explorerRoutes.quantileHistogram}?field=likes`,
    `${explorerRoutes.brush}?active=likes`,
    explorerRoutes.indicatorTotals,
    explorerRoutes.similar('Skyrex01'),
  ])('is aborted in the engine: %s', async (path) => {
    const call = nextCall();
    const request = get(`${http.url}${path}`, { headers: http.headers }).on('error', () => {});
    const { signal } = await call;
    expect(signal?.aborted).toBe(false);
    request.destroy();
    if (signal) await aborted(signal);
    expect(signal?.aborted).toBe(true);
  });
});

describe('an answered request', () => {
  it('is not aborted when its connection stays open or closes', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = `${explorerRoutes.similar('Skyrex01')}?limit=1`;
    const answered = async (): Promise<AbortSignal | undefined> => {
      const call = nextCall();
      await new Promise((resolve, reject) => {
        get(`${http.url}${path}`, { headers: http.headers, agent }, (response) =>
          response.resume().on('end', resolve),
        ).on('error', reject);
      });
      return (await call).signal;
    };
    const signals = [await answered(), await answered()];
    agent.destroy();
    // Answered only after the server has seen the other connection close.
    await fetch(`${http.url}${path}`, { headers: http.headers });
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  });
});
