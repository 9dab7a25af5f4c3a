import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Projection, RowChange } from '@tapedeck/eventing';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { createColumnarEngine } from '../adapters/columnar/engine.ts';
import { startColumnarFeed } from '../adapters/columnar/columnar-feed.ts';
import type { EngineFeed } from '../search-backend.ts';
import { toSearchFilter } from '../search-filter.ts';
import { seededRandom, randomRows } from '../testing/random-catalogue.ts';
import { importStrategies, recordOf } from '../testing/strategy-tape.ts';
import { createTestCatalogue, type TestCatalogue } from '../testing/test-catalogue.ts';
import { explorerStrategies, explorerTable } from './explorer-strategies.ts';

const withoutVersion = (change: RowChange): RowChange => {
  if (change.op !== 'put' || change.table !== explorerTable) return change;
  const { version: _, ...row } = change.row;
  return { ...change, row };
};

/** As it was before rows said which version of their strategy they are. */
const before: Projection = {
  ...explorerStrategies,
  version: 1,
  tables: explorerStrategies.tables.map((table) => {
    const { version: _, ...columns } = table.columns;
    return { ...table, columns };
  }),
  fold: (events) => explorerStrategies.fold(events).map(withoutVersion),
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const strategies = 40;

let ground: TestCatalogue;

const countIn = async (table: string): Promise<number> => {
  const { rows } = await ground.databases.catalogue.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]?.count);
};

const project = (projection: Projection): Promise<void> =>
  projectToEnd({ store: ground.store, projections: [projection], databases: ground.databases.pools });

beforeAll(async () => {
  ground = await createTestCatalogue();
  await importStrategies(ground.store, randomRows(seededRandom(6), strategies).map(recordOf));
  await project(before);
});
afterAll(() => ground.close());

describe('a product whose read model is of an older version', () => {
  const feeds: EngineFeed[] = [];
  afterAll(async () => {
    for (const feed of feeds) await feed.stop();
  });

  const totalOfReader = async (): Promise<number> => {
    const engine = createColumnarEngine();
    const { store, databases } = ground;
    const feed = startColumnarFeed({ store, catalogue: databases.catalogue, engine, logger: silent });
    feeds.push(feed);
    await feed.ready;
    return (await engine.search({ filter: toSearchFilter({}) })).total;
  };

  it('answers whole before the new version is built, while it stands beside the old one, and from it', async () => {
    expect(await countIn(`${explorerTable}_v1`)).toBe(strategies);
    expect(await totalOfReader()).toBe(strategies);
    await project(explorerStrategies);
    expect(await countIn(`${explorerTable}_v2`)).toBe(strategies);
    expect(await countIn(explorerTable)).toBe(strategies);
    await importStrategies(ground.store, [{ url_id: 'Newer001', title: 'After the upgrade' }]);
    expect(await totalOfReader()).toBe(strategies + 1);
  });
});
