import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Projection, RowChange } from '@tapedeck/eventing';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { toSearchFilter, type EngineFeed } from '@tapedeck/search-engine/port';
import {
  createTestCatalogue,
  importStrategies,
  randomRows,
  recordOf,
  seededRandom,
  type TestCatalogue,
} from '@tapedeck/search-engine/testing';
import { explorerStrategies, explorerTable } from '@tapedeck/search-engine/read-model';
import { createColumnarEngine } from './engine.ts';
import { startColumnarFeed } from './columnar-feed.ts';

const withoutVersion = (change: RowChange): RowChange => {
  if (change.op !== 'put' || change.table !== explorerTable) return change;
  const { version: _, ...row } = change.row;
  return { ...change, row };
};

/** Version 1, whose rows had no version of the strategy. */
const versionOne: Projection = {
  ...explorerStrategies,
  version: 1,
  tables: explorerStrategies.tables.map((table) => {
    const { version: _, ...columns } = table.columns;
    return { ...table, columns };
  }),
  fold: (events) => explorerStrategies.fold(events).map(withoutVersion),
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const strategyCount = 40;

let catalogue: TestCatalogue;

const countIn = async (table: string): Promise<number> => {
  const { rows } = await catalogue.databases.catalogue.query<{ count: string }>(
    `select count(*) from ${table}`,
  );
  return Number(rows[0]?.count);
};

const project = (projection: Projection): Promise<void> =>
  projectToEnd({ store: catalogue.store, projections: [projection], databases: catalogue.databases.pools });

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, randomRows(seededRandom(6), strategyCount).map(recordOf));
  await project(versionOne);
});
afterAll(() => catalogue.close());

describe('an engine beside a read model of an older version', () => {
  const feeds: EngineFeed[] = [];
  afterAll(async () => {
    for (const feed of feeds) await feed.stop();
  });

  const totalOfNewEngine = async (): Promise<number> => {
    const engine = createColumnarEngine();
    const { store, databases } = catalogue;
    const feed = startColumnarFeed({ store, catalogue: databases.catalogue, engine, logger: silent });
    feeds.push(feed);
    await feed.ready;
    return (await engine.search({ filter: toSearchFilter({}) })).total;
  };

  it('finds all strategies before, during and after the upgrade of the read model', async () => {
    expect(await countIn(`${explorerTable}_v1`)).toBe(strategyCount);
    expect(await totalOfNewEngine()).toBe(strategyCount);
    await project(explorerStrategies);
    expect(await countIn(`${explorerTable}_v${explorerStrategies.version}`)).toBe(strategyCount);
    expect(await countIn(explorerTable)).toBe(strategyCount);
    await importStrategies(catalogue.store, [{ url_id: 'Newer001', title: 'After the upgrade' }]);
    expect(await totalOfNewEngine()).toBe(strategyCount + 1);
  });
});
