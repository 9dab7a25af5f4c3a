import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import {
  dropVersion,
  dumpReadModel,
  projectionStatus,
  projectToEnd,
  rebuildInto,
  startProjector,
  switchBack,
  waitForPosition,
  type Projector,
} from '../projections.ts';
import { acquireLease } from './checkpoint.ts';
import { goLive } from './go-live.ts';
import { prepareProjection } from './prepare-projection.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { eventually } from '../testing/eventually.ts';

const views = ['create or replace view totals_by_title as select title, last from totals'];

describe('a new version of a projection', () => {
  let database: TestDatabase;
  let store: EventStore;
  let running: Projector[] = [];
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    store = createPostgresEventStore({ pool: database.pool, types: sampleTypes });
    await database.pool.query(`
      drop view if exists totals, amounts cascade;
      drop table if exists totals_v1, amounts_v1, totals_v2, amounts_v2;
      truncate projection_checkpoints, projection_parked_events`);
  });
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.stop()));
    running = [];
    await store.close();
  });

  const databases = () => ({ tapedeck: database.pool });
  const start = (projection: Projection): void => {
    running.push(startProjector({ store, projections: [projection], databases: databases(), batchSize: 50 }));
  };
  const add = async (count: number, prefix = 'sample'): Promise<Position> => {
    const results = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        store.append(`${prefix}-${index % 20}`, 'ANY', [
          sampleEvent('Opened', { title: `title ${index}` }),
          sampleEvent('Added', { amount: index }),
        ]),
      ),
    );
    return results.reduce((last, result) => {
      const at = result.outcome === 'conflict' ? 0n : result.position;
      return at > last ? at : last;
    }, 0n);
  };
  const statusOf = async (projection: Projection): Promise<Readonly<Record<number, string>>> => {
    const all = await projectionStatus({ store, projections: [projection], databases: databases() });
    return Object.fromEntries(all.map(({ version, status }) => [version, status]));
  };
  const read = async (): Promise<number> =>
    (await database.pool.query<{ n: number }>('select count(*)::int as n from totals_by_title')).rows[0]?.n ??
    -1;

  const first = sampleProjection({ views });
  const second = sampleProjection({
    version: 2,
    views,
    tables: [
      {
        name: 'totals',
        key: ['stream'],
        columns: {
          stream: 'text',
          title: 'text not null',
          last: 'numeric not null default -1',
          seen: 'bigint',
        },
        indexes: ['(title)'],
      },
      ...first.tables.slice(1),
    ],
  });

  it('is built beside the live one, goes live at the end of the tape while both run, and can be switched back', async () => {
    await add(300);
    await projectToEnd({ store, projections: [first], databases: databases() });
    start(first);
    start(second);
    for (let round = 0; round < 5; round++) {
      const position = await add(40);
      expect(await waitForPosition(database.pool, 'totals', position, 20_000)).toBe(true);
      expect(await read()).toBe(20);
    }
    await eventually(async () => expect(await statusOf(first)).toEqual({ 1: 'retired', 2: 'live' }));
    const { rows } = await database.pool.query<{ definition: string }>(
      `select pg_get_viewdef('totals'::regclass) as definition`,
    );
    expect(rows[0]?.definition).toContain('totals_v2');

    const position = await add(40);
    expect(await waitForPosition(database.pool, 'totals', position, 20_000)).toBe(true);
    await eventually(async () => {
      const all = await projectionStatus({ store, projections: [first], databases: databases() });
      expect(all.map((one) => one.lagEvents)).toEqual([0, 0]);
    });
    await Promise.all(running.map((projector) => projector.stop()));
    for (const projection of [first, second]) {
      await rebuildInto({ store, projection, pool: database.pool });
      expect(await dumpReadModel(database.pool, projection, '_check')).toBe(
        await dumpReadModel(database.pool, projection),
      );
    }
    await switchBack(database.pool, first);
    expect(await statusOf(first)).toEqual({ 1: 'live', 2: 'retired' });
    expect(await read()).toBe(20);
    const indexes = await database.pool.query(
      `select indexname from pg_indexes where tablename = 'totals_v2'`,
    );
    expect(indexes.rows).toHaveLength(2);

    await expect(dropVersion(database.pool, first)).rejects.toThrow('is live');
    await dropVersion(database.pool, second);
    expect(await statusOf(first)).toEqual({ 1: 'live' });
    expect(await read()).toBe(20);
  });

  it('lets a transaction that reads its views go on, and goes live after it', async () => {
    await add(10);
    await projectToEnd({ store, projections: [first], databases: databases() });
    await prepareProjection(database.pool, second);
    const lease = await acquireLease(database.pool, second, 'test', 60_000);
    const reader = await database.pool.connect();
    try {
      await reader.query('begin; select * from amounts');
      const attempt = goLive(database.pool, second, lease?.epoch ?? '');
      await eventually(async () => {
        const { rows } = await database.pool.query('select from pg_locks where not granted');
        expect(rows).not.toHaveLength(0);
      });
      await reader.query('select * from totals_by_title');
      await reader.query('commit');
      expect(await attempt).toMatchObject({ outcome: 'waiting' });
    } finally {
      reader.release();
    }
    expect(await goLive(database.pool, second, lease?.epoch ?? '')).toMatchObject({ outcome: 'live' });
  });

  it('does not replace a newer version, nor one with fewer parked events', async () => {
    await add(10);
    await projectToEnd({ store, projections: [second], databases: databases() });
    start(first);
    await eventually(async () => {
      const [old] = await projectionStatus({ store, projections: [first], databases: databases() });
      expect(old).toMatchObject({ version: 1, status: 'building', lagEvents: 0 });
    });
    const third = sampleProjection({
      version: 3,
      fold: () => {
        throw new Error('broken');
      },
    });
    start(third);
    await eventually(async () => {
      const all = await projectionStatus({ store, projections: [first], databases: databases() });
      const newest = all.find(({ version }) => version === 3);
      expect(newest).toMatchObject({ status: 'building', lagEvents: 0 });
      expect(newest?.parked).toBeGreaterThan(0);
    });
    expect(await statusOf(first)).toEqual({ 1: 'building', 2: 'live', 3: 'building' });
    await database.pool.query('drop table totals_v3, amounts_v3');
  });

  it('is required when the tables change', async () => {
    await projectToEnd({ store, projections: [first], databases: databases() });
    start({ ...second, version: 1 });
    await eventually(async () => {
      const [status] = await projectionStatus({ store, projections: [first], databases: databases() });
      expect(status?.lastError).toContain('raise its version');
    });
  });

  it('is not required when only the views change', async () => {
    const position = await add(5);
    await projectToEnd({ store, projections: [first], databases: databases() });
    const other = {
      ...first,
      views: ['create view totals_by_title as select title, last, seen from totals'],
    };
    await projectToEnd({ store, projections: [other], databases: databases() });
    const { rows } = await database.pool.query('select * from totals_by_title limit 1');
    expect(Object.keys(rows[0] as object)).toEqual(['title', 'last', 'seen']);
    expect(await waitForPosition(database.pool, 'totals', position, 100)).toBe(true);
  });
});
