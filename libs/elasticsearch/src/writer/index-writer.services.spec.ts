import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore, Position } from '@tapedeck/eventing';
import { retry } from '@tapedeck/eventing/operations';
import { eventually } from '@tapedeck/eventing/testing';
import { defaultScale } from '@tapedeck/search-engine/contract';
import {
  toSearchFilter,
  type EngineFeed,
  type SearchAnswer,
  type SearchBackend,
} from '@tapedeck/search-engine/port';
import {
  correctedStrategies,
  createTestCatalogue,
  importStrategies,
  newerStore,
  poisonOf,
  randomRows,
  recordOf,
  seededRandom,
  withdrawStrategy,
  type TestCatalogue,
} from '@tapedeck/search-engine/testing';
import { elasticsearchBackend } from '../backend.ts';
import { rebuildIndex, startConfiguredIndexWriter } from '../index-writer.ts';
import { createClient, type ServerConfig } from '../client.ts';
import { startTestServer, stopTestServer, testServerUrl } from '../testing/elasticsearch-server.ts';

type LogLine = Readonly<{ details: Readonly<Record<string, unknown>>; message: string }>;

const records = (seed: number, count: number): ReturnType<typeof recordOf>[] =>
  randomRows(seededRandom(seed), count).map(recordOf);

const prefixes: string[] = [];
const newConfig = (): ServerConfig => {
  const prefix = `writer-${randomBytes(4).toString('hex')}`;
  prefixes.push(prefix);
  return { ELASTICSEARCH_URL: testServerUrl(), ELASTICSEARCH_INDEX: prefix };
};

let catalogue: TestCatalogue;
const closers: (() => Promise<void>)[] = [];
const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

beforeAll(async () => {
  catalogue = await createTestCatalogue();
});
afterEach(closeAll);
afterAll(async () => {
  const client = createClient({ url: testServerUrl() });
  for (const prefix of prefixes) {
    const found = Object.keys(await client.indices.get({ index: `${prefix}-*` }));
    if (found.length > 0) await client.indices.delete({ index: found });
  }
  await client.close();
  await catalogue.close();
});

type RunningIndex = Readonly<{ engine: SearchBackend['engine']; feed: EngineFeed; log: readonly LogLine[] }>;

/** Starts a writer and a reader of one index, as the projector and the API do. */
const startIndex = async (
  config: ServerConfig,
  store: EventStore = catalogue.store,
  { databases }: TestCatalogue = catalogue,
): Promise<RunningIndex> => {
  const log: LogLine[] = [];
  const write = (details: object, message: string): void => {
    log.push({ details: details as LogLine['details'], message });
  };
  const logger = { debug: write, info: write, warn: write, error: write };
  const dependencies = { store, catalogue: databases.catalogue, logger };
  const writer = startConfiguredIndexWriter(config, dependencies);
  const backend = elasticsearchBackend(config, dependencies);
  const feed = backend.follow();
  closers.push(
    () => feed.stop(),
    async () => writer?.stop(),
  );
  await eventually(() => expect(feed.isReady()).toBe(true), 30_000);
  return { engine: backend.engine, feed, log };
};

const searchAll = async ({ engine }: RunningIndex): Promise<Omit<SearchAnswer, 'position'>> => {
  const { position: _position, ...answer } = await engine.search({
    filter: toSearchFilter({}),
    page: { sort: 'likes', order: 'desc', offset: 0, limit: 5_000 },
    histograms: defaultScale,
    ranges: true,
  });
  return answer;
};

const waitForIndex = async (index: RunningIndex, position: Position): Promise<void> => {
  expect(await index.feed.waitFor(position, 60_000)).toBe(true);
};

describe('the index writer', () => {
  it('indexes the whole tape and then every new event', async () => {
    const first = await importStrategies(catalogue.store, records(1, 300));
    const index = await startIndex(newConfig());
    await waitForIndex(index, first);
    expect((await searchAll(index)).total).toBe(300);
    const positions: Position[] = [];
    index.feed.onChange((position) => positions.push(position));
    await importStrategies(catalogue.store, records(2, 40));
    const last = await withdrawStrategy(catalogue.store, records(1, 300)[0]?.url_id ?? '');
    await waitForIndex(index, last);
    expect((await searchAll(index)).total).toBe(339);
    expect(positions.at(-1)).toBe(last);
  });

  it('continues the index of the previous writer', async () => {
    const config = newConfig();
    const before = await startIndex(config);
    const answer = await searchAll(before);
    await closeAll();
    const last = await importStrategies(catalogue.store, records(3, 5));
    const after = await startIndex(config);
    await waitForIndex(after, last);
    expect((await searchAll(after)).total).toBe(answer.total + 5);
    expect(after.log.map(({ message }) => message)).not.toContain('building a search index');
  });

  it('hands the index over to a second writer when the first one stops', async () => {
    const config = newConfig();
    const first = await startIndex(config);
    const second = await startIndex(config);
    expect(second.log).toEqual([]);
    // The first writer, then its reader; the second pair keeps running.
    const [stopFirstReader, stopFirstWriter] = closers.splice(0, 2);
    await stopFirstWriter?.();
    await stopFirstReader?.();
    expect(first.log.map(({ message }) => message)).toContain('search index is live');
    await waitForIndex(second, await importStrategies(catalogue.store, records(4, 3)));
  });

  it('loses no change while the server is unavailable, and stops reading the tape', async () => {
    const pagesRead: Position[] = [];
    const counting: EventStore = {
      ...catalogue.store,
      follow: async function* (options) {
        for await (const page of catalogue.store.follow(options)) {
          pagesRead.push(page.position);
          yield page;
        }
      },
    };
    const index = await startIndex(newConfig(), counting);
    const before = (await searchAll(index)).total;
    await stopTestServer();
    const last = await importStrategies(catalogue.store, records(5, 2_500));
    const failures = (): number =>
      Math.max(0, ...index.log.map(({ details }) => Number(details['failures'] ?? 0)));
    await eventually(() => expect(failures()).toBeGreaterThanOrEqual(3), 30_000);
    expect(
      index.log.filter(({ message }) => message.startsWith('index write failed')).length,
    ).toBeGreaterThan(2);
    // Pages of 500 events, and at most 1,000 changes in memory: the rest is not read yet.
    expect(pagesRead.filter((position) => position > last - 2_500n).length).toBeLessThanOrEqual(4);
    await eventually(() => expect(index.feed.isReady()).toBe(false));
    await startTestServer();
    await eventually(() => expect(index.feed.isReady()).toBe(true), 600_000);
    await waitForIndex(index, last);
    const answer = await searchAll(index);
    expect(answer.total).toBe(before + 2_500);
    await catalogue.project();
    expect(await searchAll(await startIndex(newConfig()))).toEqual(answer);
  }, 900_000);

  it('has the rows of the read model after an event was parked and after it was replayed', async () => {
    const own = await createTestCatalogue();
    closers.push(() => own.close());
    const index = await startIndex(newConfig(), own.store, own);
    const titles = async (): Promise<readonly string[]> =>
      (await searchAll(index)).hits.map(({ title }) => title).toSorted();
    await importStrategies(own.store, [{ url_id: 'Strat001', title: 'before' }]);
    await own.project();
    await importStrategies(own.store, [{ url_id: 'Strat001', title: 'poison', ...poisonOf('database') }]);
    await own.project();
    await importStrategies(own.store, [
      { url_id: 'Strat001', title: 'after' },
      { url_id: 'Strat002', title: 'other' },
    ]);
    await own.project();
    await eventually(async () => expect(await titles()).toEqual(['before', 'other']), 30_000);
    const { store, databases } = own;
    await retry(
      { store, databases: databases.pools, projections: [correctedStrategies] },
      correctedStrategies.name,
    );
    await eventually(async () => expect(await titles()).toEqual(['after', 'other']), 30_000);
    expect(await searchAll(index)).toEqual(await searchAll(await startIndex(newConfig(), own.store, own)));
  }, 120_000);

  it('stops before an event of a newer program, says so, and leaves it to a newer writer', async () => {
    const own = await createTestCatalogue();
    closers.push(() => own.close());
    const newer = newerStore(own);
    closers.push(() => newer.close());
    const config = newConfig();
    const index = await startIndex(config, own.store, own);
    const known = await importStrategies(own.store, [{ url_id: 'Strat001', title: 'known' }]);
    const last = await importStrategies(newer, [{ url_id: 'Strat002', title: 'newer' }]);
    await waitForIndex(index, known);
    const messages = (): string => index.log.map(({ message }) => message).join();
    await eventually(() => expect(messages()).toContain('newer version of the program'), 30_000);
    expect((await searchAll(index)).hits.map(({ title }) => title)).toEqual(['known']);
    await startIndex(config, newer, own);
    await waitForIndex(index, last);
    expect((await searchAll(index)).total).toBe(2);
  }, 120_000);

  it('rebuilds the index while searches continue on the old one', async () => {
    const config = newConfig();
    const index = await startIndex(config);
    const { total } = await searchAll(index);
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const done = new AbortController();
    const totals: number[] = [];
    const searching = (async () => {
      while (!done.signal.aborted) {
        const answer = await index.engine.search({ filter: toSearchFilter({}) });
        totals.push(answer.total);
      }
    })();
    const rebuilt = rebuildIndex(
      config,
      { store: catalogue.store, catalogue: catalogue.databases.catalogue, logger },
      AbortSignal.timeout(60_000),
    );
    const last = await importStrategies(catalogue.store, records(6, 20));
    await rebuilt;
    await waitForIndex(index, last);
    done.abort();
    await searching;
    const answer = await searchAll(index);
    expect(answer.total).toBe(total + 20);
    expect(totals.length).toBeGreaterThan(10);
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(Math.min(...totals)).toBe(total);
    expect(index.log.filter(({ message }) => message === 'search index is live')).toHaveLength(2);
  }, 120_000);
});
