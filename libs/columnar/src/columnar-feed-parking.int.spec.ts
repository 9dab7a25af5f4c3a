import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { retry } from '@tapedeck/eventing/operations';
import { dumpReadModel, projectToEnd, rebuildInto } from '@tapedeck/eventing/projections';
import { eventually, propertyRuns, testSeed } from '@tapedeck/eventing/testing';
import fc from 'fast-check';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { explorerStrategies } from '@tapedeck/search-engine/read-model';
import { toSearchFilter, type EngineFeed, type SearchAnswer } from '@tapedeck/search-engine/port';
import {
  correctedStrategies,
  createTestCatalogue,
  importStrategies,
  newerStore,
  poisonOf,
  withdrawStrategy,
  type Poison,
  type TestCatalogue,
} from '@tapedeck/search-engine/testing';
import { startColumnarFeed } from './columnar-feed.ts';
import { createColumnarEngine, type ColumnarEngine } from './engine.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const ids = ['Strat001', 'Strat002', 'Strat003'];
const poison = fc.constantFrom<Poison>('none', 'none', 'none', 'fold', 'database');
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ op: fc.constant('import' as const), id: fc.constantFrom(...ids), poison }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('withdraw' as const), id: fc.constantFrom(...ids) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('project' as const) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('retry' as const), isCorrected: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Following = Readonly<{ engine: ColumnarEngine; feed: EngineFeed }>;

describe('a running columnar engine', () => {
  let catalogue: TestCatalogue;
  const feeds: EngineFeed[] = [];
  beforeEach(async () => {
    catalogue = await createTestCatalogue();
  });
  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
    await catalogue.close();
  });

  const start = async (): Promise<Following> => {
    const engine = createColumnarEngine();
    const { store, databases } = catalogue;
    const feed = startColumnarFeed({ store, catalogue: databases.catalogue, engine, logger: silent });
    feeds.push(feed);
    await feed.ready;
    return { engine, feed };
  };
  const everything = ({ engine }: Following): Promise<SearchAnswer> =>
    engine.search({
      filter: toSearchFilter({}),
      page: { sort: 'likes', order: 'desc', offset: 0, limit: 100 },
      histograms: defaultScale,
      ranges: true,
    });
  const retryAll = ({ isCorrected }: Readonly<{ isCorrected: boolean }>): Promise<void> => {
    const { store, databases } = catalogue;
    const projections = [isCorrected ? correctedStrategies : explorerStrategies];
    return retry({ store, databases: databases.pools, projections }, explorerStrategies.name);
  };
  const parked = async (): Promise<number | null> =>
    (await catalogue.databases.catalogue.query('select from projection_parked_events')).rowCount;

  const run = async (one: Step, likes: number): Promise<void> => {
    const { store } = catalogue;
    if (one.op === 'import') {
      const title = `${one.id} ${likes}`;
      await importStrategies(store, [{ url_id: one.id, title, likes, ...poisonOf(one.poison) }]);
    } else if (one.op === 'withdraw') await withdrawStrategy(store, one.id);
    else if (one.op === 'project') await catalogue.project();
    else await retryAll(one);
  };

  const expectSameAsRebuilt = async (running: Following): Promise<void> => {
    const { store, databases } = catalogue;
    await rebuildInto({ store, projection: correctedStrategies, pool: databases.catalogue });
    expect(await dumpReadModel(databases.catalogue, explorerStrategies)).toBe(
      await dumpReadModel(databases.catalogue, explorerStrategies, '_check'),
    );
    const rebuilt = await start();
    const expected = await everything(rebuilt);
    await rebuilt.feed.stop();
    await eventually(async () => expect(await everything(running)).toEqual(expected), 5_000);
  };

  it.each(Array.from({ length: propertyRuns(12, 3) }, (_, at) => at))(
    'has the rows of a rebuilt read model after any events were parked and retried (random log %s)',
    async (at) => {
      const seed = testSeed() + at;
      const [steps = []] = fc.sample(fc.array(step, { minLength: 5, maxLength: 25 }), { numRuns: 1, seed });
      const running = await start();
      for (const [index, one] of steps.entries()) await run(one, index);
      await catalogue.project();
      await retryAll({ isCorrected: true });
      expect(await parked()).toBe(0);
      await expectSameAsRebuilt(running);
    },
  );

  it('skips the events of a blocked key, as the read model does', async () => {
    const running = await start();
    const title = 'before';
    await importStrategies(catalogue.store, [{ url_id: 'Strat001', title }]);
    await catalogue.project();
    await importStrategies(catalogue.store, [{ url_id: 'Strat001', ...poisonOf('database') }]);
    await catalogue.project();
    const last = await importStrategies(catalogue.store, [{ url_id: 'Strat001', title: 'after' }]);
    expect(await running.feed.waitFor(last, 5_000)).toBe(true);
    await catalogue.project();
    await eventually(async () => expect((await everything(running)).hits).toMatchObject([{ title }]), 5_000);
    const fresh = await start();
    expect(await everything(fresh)).toEqual(await everything(running));
    const later = await importStrategies(catalogue.store, [{ url_id: 'Strat001', title: 'later' }]);
    expect(await running.feed.waitFor(later, 5_000)).toBe(true);
    expect((await everything(running)).hits).toMatchObject([{ title }]);
  });

  it('takes the rows of a newer program for events that it does not know', async () => {
    const { databases, store } = catalogue;
    const newer = newerStore(catalogue);
    const running = await start();
    const known = await importStrategies(store, [{ url_id: 'Strat001' }]);
    expect(await running.feed.waitFor(known, 5_000)).toBe(true);
    const last = await importStrategies(newer, [{ url_id: 'Strat002' }]);
    expect(await running.feed.waitFor(last, 300)).toBe(false);
    expect((await everything(running)).total).toBe(1);
    await projectToEnd({ store: newer, projections: [explorerStrategies], databases: databases.pools });
    expect(await running.feed.waitFor(last, 5_000)).toBe(true);
    expect((await everything(running)).total).toBe(2);
    await newer.close();
  });
});
