import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explorerRoutes } from './contract.ts';
import type { RequestOptions, SearchEngine, SearchHit } from '@tapedeck/search-engine/engine';
import { startEngineOverHttp, type EngineOverHttp } from './testing/engine-over-http.ts';

let hear: (options: RequestOptions) => void = () => {};
const heard = (): Promise<RequestOptions> => new Promise((resolve) => (hear = resolve));

/** Works for ever, unless it is told that nobody waits. */
const working = (options: RequestOptions = {}): Promise<never> =>
  new Promise((_, reject) => {
    options.signal?.addEventListener('abort', () => reject(new Error('given up')));
    hear(options);
  });

/** Answers one thing, that there are no similar ones, at once. */
const engine: SearchEngine = {
  search: (_, options) => working(options),
  brush: (_, options) => working(options),
  countIndicators: (_, options) => working(options),
  list: async function* (): AsyncGenerator<readonly SearchHit[]> {},
  similar: (_urlId, limit, options = {}) => {
    if (limit > 1) return working(options);
    hear(options);
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

describe('a request whose connection is closed', () => {
  it.each([
    explorerRoutes.explore,
    explorerRoutes.filtered,
    explorerRoutes.ranges,
    `${explorerRoutes.histogram}?field=likes`,
    `${explorerRoutes.quantileHistogram}?field=likes`,
    `${explorerRoutes.brush}?active=likes`,
    explorerRoutes.indicatorTotals,
    explorerRoutes.similar('Skyrex01'),
  ])('is given up by the engine: %s', async (path) => {
    const asked = heard();
    const request = get(`${http.url}${path}`, { headers: http.headers }).on('error', () => {});
    const { signal } = await asked;
    expect(signal?.aborted).toBe(false);
    request.destroy();
    if (signal) await aborted(signal);
    expect(signal?.aborted).toBe(true);
  });
});

describe('a request that is answered', () => {
  it('is not given up when its connection goes on or ends', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = `${explorerRoutes.similar('Skyrex01')}?limit=1`;
    const answered = async (): Promise<AbortSignal | undefined> => {
      const asked = heard();
      await new Promise((resolve, reject) => {
        get(`${http.url}${path}`, { headers: http.headers, agent }, (response) =>
          response.resume().on('end', resolve),
        ).on('error', reject);
      });
      return (await asked).signal;
    };
    const signals = [await answered(), await answered()];
    agent.destroy();
    // Another request on another connection is answered after the server has seen that one end.
    await fetch(`${http.url}${path}`, { headers: http.headers });
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  });
});
