import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore, Position } from '@tapedeck/eventing';
import { eventually } from '@tapedeck/eventing/testing';
import { defaultScale } from '../../../contract.ts';
import type { SearchBackend } from '../../../search-backend.ts';
import type { EngineFeed } from '../../../search-backend.ts';
import { configuredBackend } from '../../../configured-backend.ts';
import type { EngineConfig } from '../../../search-backend.ts';
import { rebuildIndex, startConfiguredIndexWriter } from '../../../index-writer.ts';
import type { SearchAnswer } from '../../../search-port.ts';
import { toSearchFilter } from '../../../search-filter.ts';
import { testServerUrl } from '../../../testing/elasticsearch-test-engine.ts';
import { seededRandom, randomRows } from '../../../testing/random-catalogue.ts';
import { startServer, stopServer } from '../../../testing/elasticsearch-server.ts';
import { importStrategies, recordOf, withdrawStrategy } from '../../../testing/strategy-tape.ts';
import { createTestCatalogue, type TestCatalogue } from '../../../testing/test-catalogue.ts';
import { createClient } from '../client.ts';

type Line = Readonly<{ details: Readonly<Record<string, unknown>>; message: string }>;

const records = (seed: number, count: number): ReturnType<typeof recordOf>[] =>
  randomRows(seededRandom(seed), count).map(recordOf);

const prefixes: string[] = [];
const newConfig = (): EngineConfig => {
  const prefix = `writer-${randomBytes(4).toString('hex')}`;
  prefixes.push(prefix);
  return { ELASTICSEARCH_URL: testServerUrl(), ELASTICSEARCH_INDEX: prefix };
};

let ground: TestCatalogue;
const open: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ground = await createTestCatalogue();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  const client = createClient({ url: testServerUrl() });
  for (const prefix of prefixes) {
    const found = Object.keys(await client.indices.get({ index: `${prefix}-*` }));
    if (found.length > 0) await client.indices.delete({ index: found });
  }
  await client.close();
  await ground.close();
});

type Index = Readonly<{ engine: SearchBackend['engine']; feed: EngineFeed; log: readonly Line[] }>;

/** A writer and a reader of one index, as projector and API have them. */
const startIndex = async (config: EngineConfig, store: EventStore = ground.store): Promise<Index> => {
  const log: Line[] = [];
  const note = (details: object, message: string): void => {
    log.push({ details: details as Line['details'], message });
  };
  const logger = { debug: note, info: note, warn: note, error: note };
  const { catalogue } = ground.databases;
  const writer = startConfiguredIndexWriter(config, { store, catalogue, logger });
  const backend = configuredBackend(config, { store, catalogue, logger });
  const feed = backend.follow();
  open.push(
    () => feed.stop(),
    async () => writer?.stop(),
  );
  await eventually(() => expect(feed.isReady()).toBe(true), 30_000);
  return { engine: backend.engine, feed, log };
};

const everything = async ({ engine }: Index): Promise<Omit<SearchAnswer, 'position'>> => {
  const { position: _position, ...answer } = await engine.search({
    filter: toSearchFilter({}),
    page: { sort: 'likes', order: 'desc', offset: 0, limit: 5_000 },
    histograms: defaultScale,
    ranges: true,
  });
  return answer;
};

const shows = async (index: Index, position: Position): Promise<void> => {
  expect(await index.feed.waitFor(position, 60_000)).toBe(true);
};

describe('the index beside the tape', () => {
  it('has what the tape has, from the beginning and as it goes on', async () => {
    const first = await importStrategies(ground.store, records(1, 300));
    const index = await startIndex(newConfig());
    await shows(index, first);
    expect((await everything(index)).total).toBe(300);
    const moved: Position[] = [];
    index.feed.onChange((position) => moved.push(position));
    await importStrategies(ground.store, records(2, 40));
    const last = await withdrawStrategy(ground.store, records(1, 300)[0]?.url_id ?? '');
    await shows(index, last);
    expect((await everything(index)).total).toBe(339);
    expect(moved.at(-1)).toBe(last);
  });

  it('is gone on with where the last writer has left it', async () => {
    const config = newConfig();
    const before = await startIndex(config);
    const answer = await everything(before);
    for (const close of open.splice(0).reverse()) await close();
    const last = await importStrategies(ground.store, records(3, 5));
    const after = await startIndex(config);
    await shows(after, last);
    expect((await everything(after)).total).toBe(answer.total + 5);
    expect(after.log.map(({ message }) => message)).not.toContain('search index is being built');
  });

  it('is written by one of two writers, and by the other when that one ends', async () => {
    const config = newConfig();
    const first = await startIndex(config);
    const second = await startIndex(config);
    expect(second.log).toEqual([]);
    const closers = open.splice(0);
    // The first writer, then its reader: the second pair stays.
    await closers[1]?.();
    await closers[0]?.();
    open.push(...closers.slice(2));
    expect(first.log.map(({ message }) => message)).toContain('search index answers');
    await shows(second, await importStrategies(ground.store, records(4, 3)));
  });

  it('loses nothing while the server is away, and reads no further than it can write', async () => {
    const pulled: Position[] = [];
    const counting: EventStore = {
      ...ground.store,
      follow: async function* (options) {
        for await (const page of ground.store.follow(options)) {
          pulled.push(page.position);
          yield page;
        }
      },
    };
    const index = await startIndex(newConfig(), counting);
    const before = (await everything(index)).total;
    await stopServer();
    const last = await importStrategies(ground.store, records(5, 2_500));
    const failures = (): number =>
      Math.max(0, ...index.log.map(({ details }) => Number(details['failures'] ?? 0)));
    await eventually(() => expect(failures()).toBeGreaterThanOrEqual(3), 30_000);
    expect(index.log.filter(({ message }) => message.startsWith('index not written')).length).toBeGreaterThan(
      2,
    );
    // Pages of 500, and at most 1,000 changes in memory: the rest waits on the tape.
    expect(pulled.filter((position) => position > last - 2_500n).length).toBeLessThanOrEqual(4);
    await eventually(() => expect(index.feed.isReady()).toBe(false));
    await startServer();
    await eventually(() => expect(index.feed.isReady()).toBe(true), 600_000);
    await shows(index, last);
    const answer = await everything(index);
    expect(answer.total).toBe(before + 2_500);
    await ground.project();
    expect(await everything(await startIndex(newConfig()))).toEqual(answer);
  }, 900_000);

  it('is rebuilt beside the one that answers, without a gap', async () => {
    const config = newConfig();
    const index = await startIndex(config);
    const { total } = await everything(index);
    const { catalogue } = ground.databases;
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const done = new AbortController();
    const totals: number[] = [];
    const options = (async () => {
      while (!done.signal.aborted) {
        const answer = await index.engine.search({ filter: toSearchFilter({}) });
        totals.push(answer.total);
      }
    })();
    const rebuilt = rebuildIndex(
      config,
      { store: ground.store, catalogue, logger },
      AbortSignal.timeout(60_000),
    );
    const last = await importStrategies(ground.store, records(6, 20));
    await rebuilt;
    await shows(index, last);
    done.abort();
    await options;
    const answer = await everything(index);
    expect(answer.total).toBe(total + 20);
    expect(totals.length).toBeGreaterThan(10);
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(Math.min(...totals)).toBe(total);
    expect(index.log.filter(({ message }) => message === 'search index answers')).toHaveLength(2);
  }, 120_000);
});
