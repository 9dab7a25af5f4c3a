import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Position } from '@tapedeck/eventing';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type EngineFeed, type SearchAnswer } from '@tapedeck/search-engine/port';
import {
  createTestCatalogue,
  importStrategies,
  randomRows,
  recordOf,
  seededRandom,
  withdrawStrategy,
  type TestCatalogue,
} from '@tapedeck/search-engine/testing';
import { createColumnarEngine, type ColumnarEngine } from './engine.ts';
import { startColumnarFeed } from './columnar-feed.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const records = (seed: number, count: number): ReturnType<typeof recordOf>[] =>
  randomRows(seededRandom(seed), count).map(recordOf);

let environment: TestCatalogue;
const feeds: EngineFeed[] = [];

beforeEach(async () => {
  environment = await createTestCatalogue();
});
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
  await environment.close();
});

type FollowingEngine = Readonly<{ engine: ColumnarEngine; feed: EngineFeed }>;

const startEngine = async (): Promise<FollowingEngine> => {
  const engine = createColumnarEngine();
  const { store, databases } = environment;
  const feed = startColumnarFeed({ store, catalogue: databases.catalogue, engine, logger: silent });
  feeds.push(feed);
  await feed.ready;
  return { engine, feed };
};

const everything = ({ engine }: FollowingEngine): Promise<SearchAnswer> =>
  engine.search({
    filter: toSearchFilter({}),
    page: { sort: 'likes', order: 'desc', offset: 0, limit: 1_000 },
    histograms: defaultScale,
    ranges: true,
  });

const shows = async (reader: FollowingEngine, position: Position): Promise<SearchAnswer> => {
  expect(await reader.feed.waitFor(position, 5_000)).toBe(true);
  return everything(reader);
};

const edgeVersions = async (): Promise<number> => {
  const { rows } = await environment.databases.catalogue.query<{ count: number }>(
    'select count(*)::int as count from explorer_edges',
  );
  return rows[0]?.count ?? 0;
};

describe('the feed of the columnar engine', () => {
  it('starts at the beginning of the tape without a read model', async () => {
    const last = await importStrategies(environment.store, records(1, 30));
    const reader = await startEngine();
    expect(await everything(reader)).toMatchObject({ total: 30, position: last });
  });

  it('starts with the rows of the read model and continues from its checkpoint', async () => {
    await importStrategies(environment.store, records(1, 30));
    await environment.project();
    const removed = records(1, 30)[0]?.url_id ?? '';
    await importStrategies(environment.store, records(2, 40));
    const last = await withdrawStrategy(environment.store, removed);
    const fromRows = await startEngine();
    expect(await everything(fromRows)).toMatchObject({ total: 69, position: last });

    const untouched = await environment.databases.catalogue.query<{ count: number }>(
      'select count(*)::int as count from explorer_strategies',
    );
    expect(untouched.rows[0]?.count).toBe(30);
    await environment.project();
    expect(await everything(await startEngine())).toEqual(await everything(fromRows));
  });

  it('applies new events and notifies listeners of changes', async () => {
    await importStrategies(environment.store, records(1, 30));
    await environment.project();
    const reader = await startEngine();
    const notified: Position[] = [];
    reader.feed.onChange((position) => notified.push(position));
    const { total: before } = await everything(reader);
    const last = await importStrategies(environment.store, records(3, 50));
    expect(await shows(reader, last)).toMatchObject({ total: before + 50, position: last });
    expect(notified.at(-1)).toBe(last);
    expect(notified).toEqual(notified.toSorted((a, b) => Number(a - b)));
  });

  it('ends a wait with false when the position is not reached in time', async () => {
    const { feed } = await startEngine();
    expect(await feed.waitFor(1_000_000n, 20)).toBe(false);
  });

  it('stores and shares the edges, and computes new ones when the catalogue has doubled', async () => {
    await importStrategies(environment.store, records(1, 120));
    await environment.project();
    const one = await startEngine();
    const versions = await edgeVersions();
    expect(versions).toBeGreaterThan(0);
    const two = await startEngine();
    expect(await edgeVersions()).toBe(versions);
    const edgesOf = (answer: SearchAnswer): readonly (readonly number[])[] =>
      answer.histograms.map(({ edges }) => edges);
    const before = edgesOf(await everything(one));

    const few = await importStrategies(environment.store, records(4, 10));
    expect(edgesOf(await shows(one, few))).toEqual(before);
    const many = await importStrategies(environment.store, records(5, 400));
    const after = edgesOf(await shows(one, many));
    expect(after).not.toEqual(before);
    expect(edgesOf(await shows(two, many))).toEqual(after);
    expect(edgesOf(await everything(await startEngine()))).toEqual(after);
  });

  it('skips an event that cannot be folded and continues', async () => {
    await importStrategies(environment.store, records(1, 30));
    const reader = await startEngine();
    const { total: before } = await everything(reader);
    // No import accepts such a record, and the types forbid it; the feed must survive it nevertheless.
    const broken = { url_id: 'Broken01', categories: null as unknown as string[] };
    const last = await importStrategies(environment.store, [broken, { url_id: 'Sound001', title: 'Sound' }]);
    expect((await shows(reader, last)).total).toBe(before + 1);
  });

  it('restarts after the database was unavailable', async () => {
    const { databases } = environment;
    await importStrategies(environment.store, records(1, 30));
    await environment.project();
    const reader = await startEngine();
    await databases.catalogue.query('alter table explorer_edges rename to explorer_edges_away');
    const first = await importStrategies(environment.store, [{ url_id: 'Later001', title: 'Later' }]);
    expect((await shows(reader, first)).hits.some(({ urlId }) => urlId === 'Later001')).toBe(true);
    const waiting = createColumnarEngine();
    const feed = startColumnarFeed({
      store: environment.store,
      catalogue: databases.catalogue,
      engine: waiting,
      logger: silent,
    });
    feeds.push(feed);
    expect(await feed.waitFor(first, 150)).toBe(false);
    expect(feed.isReady()).toBe(false);
    await databases.catalogue.query('alter table explorer_edges_away rename to explorer_edges');
    await feed.ready;
    expect(waiting.size()).toBe(reader.engine.size());
  });
});
