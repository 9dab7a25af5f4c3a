import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from '@tapedeck/eventing/servers';
import { eventually } from '@tapedeck/eventing/testing';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type EngineFeed, type SearchBackend } from '@tapedeck/search-engine/port';
import { createTestCatalogue, importStrategies, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { elasticsearchBackend } from './backend.ts';
import { startConfiguredIndexWriter } from './index-writer.ts';
import { testServerUrl } from './testing/elasticsearch-server.ts';
import { startHttpProxy, type HttpProxy } from './testing/http-proxy.ts';

const prefix = `load-${randomBytes(4).toString('hex')}`;
const serverUrl = testServerUrl();
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let catalogue: TestCatalogue;
let writer: ReturnType<typeof startConfiguredIndexWriter>;
/** Between the reader and the server: first what holds back requests, then what breaks connections. */
let proxy: HttpProxy;
let network: TcpProxy;
let backend: SearchBackend;
let feed: EngineFeed;

const isSearch = (path: string): boolean => path.includes('search');
const isOther = (path: string): boolean => !isSearch(path);
const filter = toSearchFilter({});
const total = async (): Promise<number> => (await backend.engine.search({ filter })).total;
/** A request of a whole interaction: a search for each facet, one for the rows, one for the ranges. */
const explore = (signal?: AbortSignal): Promise<number> =>
  backend.engine
    .search({ filter, histograms: defaultScale, ranges: true }, signal === undefined ? {} : { signal })
    .then((answer) => answer.total);
const isBusy = { kind: 'unavailable', code: 'SEARCH_BUSY' };

const configureServer = async (settings: Readonly<Record<string, string | null>>): Promise<void> => {
  const response = await fetch(`${serverUrl}/_cluster/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ transient: settings }),
  });
  expect(response.status).toBe(200);
};

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  const { store, databases } = catalogue;
  network = await startTcpProxy({ target: serverUrl });
  proxy = await startHttpProxy(network.url);
  const dependencies = { store, catalogue: databases.catalogue, logger };
  await importStrategies(store, [{ url_id: 'Strat001', title: 'one' }]);
  const config = { ELASTICSEARCH_INDEX: prefix };
  writer = startConfiguredIndexWriter({ ...config, ELASTICSEARCH_URL: serverUrl }, dependencies);
  backend = elasticsearchBackend({ ...config, ELASTICSEARCH_URL: proxy.url }, dependencies);
  feed = backend.follow();
  await eventually(async () => expect([feed.isReady(), await total()]).toEqual([true, 1]), 30_000);
}, 60_000);

afterEach(async () => {
  proxy.release();
  network.pass();
  await configureServer({ 'indices.breaker.request.limit': null });
  await eventually(() => expect([feed.isReady(), backend.isUnavailable()]).toEqual([true, false]), 30_000);
}, 60_000);

afterAll(async () => {
  await feed.stop();
  await writer?.stop();
  await proxy.close();
  await network.close();
  await catalogue.close();
  const found = Object.keys((await (await fetch(`${serverUrl}/${prefix}-*`)).json()) as object);
  for (const index of found) await fetch(`${serverUrl}/${index}`, { method: 'DELETE' });
}, 60_000);

describe('the search while its server has much to do', () => {
  it('stays available while every search takes longer than the server may take for a sign of life', async () => {
    proxy.hold(isSearch);
    const before = proxy.passed.length;
    const slow = total();
    const signsOfLife = (): number => proxy.passed.slice(before).filter(isOther).length;
    await eventually(() => expect(signsOfLife()).toBeGreaterThan(2), 9_000);
    expect([backend.isUnavailable(), feed.isReady()]).toEqual([false, true]);
    proxy.release();
    expect(await slow).toBe(1);
  }, 60_000);

  it('asks for no sign of life while searches are answered', async () => {
    await total();
    const before = proxy.passed.length;
    const until = performance.now() + 5_000;
    while (performance.now() < until) expect(await total()).toBe(1);
    expect(proxy.passed.slice(before).filter(isOther)).toEqual([]);
  }, 60_000);

  it('reports a search that takes too long as busy, and stays available for the others', async () => {
    proxy.hold(isSearch, 1);
    const stuck = total();
    stuck.catch(() => {});
    await eventually(() => expect(proxy.held()).toHaveLength(1));
    const others: number[] = [];
    let isOver = false;
    const ended = stuck.catch((error: unknown) => error).finally(() => (isOver = true));
    while (!isOver) {
      others.push(await total());
      expect(backend.isUnavailable()).toBe(false);
    }
    expect(await ended).toMatchObject(isBusy);
    expect(others.length).toBeGreaterThan(10);
    expect([await total(), backend.isUnavailable()]).toEqual([1, false]);
  }, 60_000);

  it('refuses what it cannot send soon, and answers the others when the server does', async () => {
    await explore();
    proxy.hold(isSearch);
    const requests = Array.from({ length: 200 }, () => explore());
    const results = Promise.allSettled(requests);
    await expect(Promise.all(requests)).rejects.toMatchObject(isBusy);
    expect(proxy.held().length).toBeLessThanOrEqual(4);
    proxy.release();
    const settled = await results;
    const answered = settled.filter(({ status }) => status === 'fulfilled').length;
    expect(answered).toBeGreaterThan(0);
    for (const result of settled)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(isBusy);
    expect([await explore(), backend.isUnavailable()]).toEqual([1, false]);
  }, 60_000);

  it('never sends a request that was aborted while it waited', async () => {
    await explore();
    proxy.hold(isSearch);
    const sent = [explore(), explore()];
    await eventually(() => expect(proxy.held()).toHaveLength(2));
    const aborting = new AbortController();
    const waiting = [explore(aborting.signal), explore(aborting.signal)];
    const aborted = Promise.allSettled(waiting);
    aborting.abort();
    for (const result of await aborted) expect(result).toMatchObject({ status: 'rejected' });
    const before = proxy.passed.length;
    proxy.release();
    expect(await Promise.all(sent)).toEqual([1, 1]);
    expect(proxy.passed.slice(before).filter(isSearch)).toHaveLength(2);
  }, 60_000);

  it('reports as busy what the server has no memory for, and stays available', async () => {
    await configureServer({ 'indices.breaker.request.limit': '1b' });
    await expect(explore()).rejects.toMatchObject(isBusy);
    expect([backend.isUnavailable(), feed.isReady()]).toEqual([false, true]);
    await configureServer({ 'indices.breaker.request.limit': null });
    expect(await explore()).toBe(1);
  }, 60_000);

  it('is unavailable while the server does not answer anything, and recovers by itself', async () => {
    network.freeze();
    await eventually(() => expect(backend.isUnavailable()).toBe(true), 15_000);
    network.pass();
    await eventually(
      async () => expect([backend.isUnavailable(), await total()]).toEqual([false, 1]),
      15_000,
    );
  }, 60_000);

  it('is unavailable at once when the server refuses connections, although a search was answered just before', async () => {
    expect(await total()).toBe(1);
    network.cut();
    await expect(total()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    await eventually(() => expect(backend.isUnavailable()).toBe(true), 5_000);
  }, 60_000);
});
