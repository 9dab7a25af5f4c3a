import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from '@tapedeck/eventing/servers';
import { eventually } from '@tapedeck/eventing/testing';
import pg from 'pg';
import { toSearchFilter, type EngineFeed, type SearchBackend } from '@tapedeck/search-engine/port';
import { createTestCatalogue, importStrategies, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { elasticsearchBackend } from './backend.ts';
import { startConfiguredIndexWriter } from './index-writer.ts';
import { testServerUrl } from './testing/elasticsearch-server.ts';

const config = {
  ELASTICSEARCH_URL: testServerUrl(),
  ELASTICSEARCH_INDEX: `feed-${randomBytes(4).toString('hex')}`,
};
const log: string[] = [];
const write = (_details: object, message: string): void => void log.push(message);
const logger = { debug: write, info: write, warn: write, error: write };

let catalogue: TestCatalogue;
/** Between the reader of the index and the database; the writer has connections of its own. */
let network: TcpProxy;
let readerPool: pg.Pool;
let writer: ReturnType<typeof startConfiguredIndexWriter>;
let backend: SearchBackend;
let feed: EngineFeed;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  const { store, databases } = catalogue;
  network = await startTcpProxy({ target: databases.urls.catalogue });
  readerPool = new pg.Pool({ connectionString: network.url });
  readerPool.on('error', () => {});
  writer = startConfiguredIndexWriter(config, { store, catalogue: databases.catalogue, logger });
  backend = elasticsearchBackend(config, { store, catalogue: readerPool, logger });
  feed = backend.follow();
  await eventually(() => expect(feed.isReady()).toBe(true), 30_000);
}, 60_000);

afterAll(async () => {
  await feed.stop();
  await writer?.stop();
  await readerPool.end();
  await network.close();
  await catalogue.close();
  const indexes = `${config.ELASTICSEARCH_URL}/${config.ELASTICSEARCH_INDEX}-*`;
  const found = Object.keys((await (await fetch(indexes)).json()) as object);
  for (const index of found) await fetch(`${config.ELASTICSEARCH_URL}/${index}`, { method: 'DELETE' });
}, 60_000);

const total = async (): Promise<number> =>
  (await backend.engine.search({ filter: toSearchFilter({}) })).total;

describe('the reader of the index', () => {
  it('continues to answer while the database cannot be read, and then sees what has changed', async () => {
    const { store } = catalogue;
    const before = await importStrategies(store, [{ url_id: 'Strat001', title: 'before' }]);
    expect(await feed.waitFor(before, 30_000)).toBe(true);
    network.cut();
    await eventually(() => expect(log.join()).toMatch(/is unknown|is unavailable/), 30_000);
    expect([feed.isReady(), backend.isUnavailable(), await total()]).toEqual([true, false, 1]);
    network.pass();
    const last = await importStrategies(store, [{ url_id: 'Strat002', title: 'after' }]);
    expect(await feed.waitFor(last, 30_000)).toBe(true);
    expect(await total()).toBe(2);
  }, 90_000);
});
