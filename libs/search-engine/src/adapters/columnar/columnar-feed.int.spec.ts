import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Position } from '@tapedeck/eventing';
import { createColumnarEngine, type ColumnarEngine } from './engine.ts';
import { defaultScale } from '../../contract.ts';
import type { SearchAnswer } from '../../search-port.ts';
import { toSearchFilter } from '../../search-filter.ts';
import { seededRandom, randomRows } from '../../testing/random-catalogue.ts';
import { importStrategies, recordOf, withdrawStrategy } from '../../testing/strategy-tape.ts';
import { createTestCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { startColumnarFeed } from './columnar-feed.ts';
import type { EngineFeed } from '../../search-backend.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const records = (seed: number, count: number): ReturnType<typeof recordOf>[] =>
  randomRows(seededRandom(seed), count).map(recordOf);

let ground: TestCatalogue;
const feeds: EngineFeed[] = [];

beforeAll(async () => {
  ground = await createTestCatalogue();
});
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
});
afterAll(() => ground.close());

type Reader = Readonly<{ engine: ColumnarEngine; feed: EngineFeed }>;

const startReader = async (): Promise<Reader> => {
  const engine = createColumnarEngine();
  const { store, databases } = ground;
  const feed = startColumnarFeed({ store, catalogue: databases.catalogue, engine, logger: silent });
  feeds.push(feed);
  await feed.ready;
  return { engine, feed };
};

const everything = ({ engine }: Reader): Promise<SearchAnswer> =>
  engine.search({
    filter: toSearchFilter({}),
    page: { sort: 'likes', order: 'desc', offset: 0, limit: 1_000 },
    histograms: defaultScale,
    ranges: true,
  });

const shows = async (reader: Reader, position: Position): Promise<SearchAnswer> => {
  expect(await reader.feed.waitFor(position, 5_000)).toBe(true);
  return everything(reader);
};

const edgeVersions = async (): Promise<number> => {
  const { rows } = await ground.databases.catalogue.query<{ count: number }>(
    'select count(*)::int as count from explorer_edges',
  );
  return rows[0]?.count ?? 0;
};

describe('the explorer’s way to the end of the tape', () => {
  it('starts without a read model, from the beginning of the tape', async () => {
    const last = await importStrategies(ground.store, records(1, 30));
    const reader = await startReader();
    expect(await everything(reader)).toMatchObject({ total: 30, position: last });
  });

  it('starts from rows and checkpoint, and goes on where they end', async () => {
    await ground.project();
    const removed = records(1, 30)[0]?.url_id ?? '';
    await importStrategies(ground.store, records(2, 40));
    const last = await withdrawStrategy(ground.store, removed);
    const fromRows = await startReader();
    expect(await everything(fromRows)).toMatchObject({ total: 69, position: last });

    const untouched = await ground.databases.catalogue.query<{ count: number }>(
      'select count(*)::int as count from explorer_strategies',
    );
    expect(untouched.rows[0]?.count).toBe(30);
    await ground.project();
    expect(await everything(await startReader())).toEqual(await everything(fromRows));
  });

  it('shows what happens while it runs, and tells of it', async () => {
    const reader = await startReader();
    const told: Position[] = [];
    reader.feed.onChange((position) => told.push(position));
    const { total: before } = await everything(reader);
    const last = await importStrategies(ground.store, records(3, 50));
    expect(await shows(reader, last)).toMatchObject({ total: before + 50, position: last });
    expect(told.at(-1)).toBe(last);
    expect(told).toEqual(told.toSorted((a, b) => Number(a - b)));
  });

  it('answers what it has when a position is not reached in time', async () => {
    const { feed } = await startReader();
    expect(await feed.waitFor(1_000_000n, 20)).toBe(false);
  });

  it('keeps the edges over starts, shares them, and draws new ones for twice the catalogue', async () => {
    const versions = await edgeVersions();
    expect(versions).toBeGreaterThan(0);
    const [one, two] = [await startReader(), await startReader()];
    expect(await edgeVersions()).toBe(versions);
    const edgesOf = (answer: SearchAnswer): readonly (readonly number[])[] =>
      answer.histograms.map(({ edges }) => edges);
    const before = edgesOf(await everything(one));

    const few = await importStrategies(ground.store, records(4, 10));
    expect(edgesOf(await shows(one, few))).toEqual(before);
    const many = await importStrategies(ground.store, records(5, 400));
    const after = edgesOf(await shows(one, many));
    expect(after).not.toEqual(before);
    expect(edgesOf(await shows(two, many))).toEqual(after);
    expect(edgesOf(await everything(await startReader()))).toEqual(after);
  });

  it('leaves out an event that cannot be folded, and goes on', async () => {
    const reader = await startReader();
    const { total: before } = await everything(reader);
    // What no reader lets in and the types forbid: the feed must live with it all the same.
    const broken = { url_id: 'Broken01', categories: null as unknown as string[] };
    const last = await importStrategies(ground.store, [broken, { url_id: 'Sound001', title: 'Sound' }]);
    expect((await shows(reader, last)).total).toBe(before + 1);
  });

  it('begins again when the database was away', async () => {
    const { databases } = ground;
    const reader = await startReader();
    await databases.catalogue.query('alter table explorer_edges rename to explorer_edges_away');
    const first = await importStrategies(ground.store, [{ url_id: 'Later001', title: 'Later' }]);
    expect((await shows(reader, first)).hits.some(({ urlId }) => urlId === 'Later001')).toBe(true);
    const waiting = createColumnarEngine();
    const feed = startColumnarFeed({
      store: ground.store,
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
