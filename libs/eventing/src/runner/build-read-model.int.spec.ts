import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, systemClock } from '@tapedeck/kernel';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import { dumpReadModel, projectToEnd } from '../projections.ts';
import { anyEvent } from '../testing/any-event.ts';
import { poolDyingAfter } from '../testing/dying-pool.ts';
import { checkAsyncProperty } from '../testing/property.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { applyPage, preparePage } from './apply-page.ts';
import { buildReadModel, type BuildLimits, type BuildOutcome } from './build-read-model.ts';
import { acquireLease, type Lease } from './checkpoint.ts';
import { prepareProjection } from './prepare-projection.ts';
import { silentLogger } from './run-leased.ts';

const leaseMs = 60_000;
const limits = fc.record({
  events: fc.integer({ min: 1, max: 30 }),
  rows: fc.integer({ min: 1, max: 20 }),
  characters: fc.integer({ min: 1, max: 200 }),
});
/** One attempt to build: after how many queries its process dies. */
const attempt = fc.record({ limits, diesAfter: fc.integer({ min: 0, max: 30 }) });

describe('a build', () => {
  let database: TestDatabase;
  const built = sampleProjection();
  const inOnePage = sampleProjection({ version: 2 });
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const startFromZero = async (projection: Projection): Promise<void> => {
    const { name, version } = projection;
    const own = [name, version];
    await database.pool.query(
      'delete from projection_checkpoints where projection = $1 and version = $2',
      own,
    );
    await prepareProjection(database.pool, projection);
  };
  const acquire = async (projection: Projection): Promise<Lease> => {
    const lease = await acquireLease(database.pool, projection, 'test', leaseMs);
    if (!lease) throw new Error('The lease is not free.');
    return lease;
  };
  const storeOf = async (count: number): Promise<EventStore> => {
    const store = createMemoryEventStore({ types: sampleTypes });
    for (let n = 0; n < count; n++) {
      await store.append(`sample-${n % 3}`, 'ANY', [sampleEvent(n < 3 ? 'Opened' : 'Added', { amount: n })]);
    }
    return store;
  };

  const buildOnce = async (store: EventStore, pool: Pool, own?: BuildLimits): Promise<BuildOutcome> => {
    const lease = await acquire(built);
    if (lease.parked > 0) return 'needs-parking';
    if (lease.position >= (await store.head())) return 'complete';
    const stop = new AbortController();
    const { signal } = stop;
    const following = store.follow({ after: lease.position, batchSize: 5, types: built.types, signal });
    const run = {
      ...lease,
      store,
      projection: built,
      pool,
      owner: 'test',
      logger: silentLogger,
      clock: systemClock,
      batchSize: 5,
      leaseMs,
      dropAfterMs: leaseMs,
      signal,
      live: false,
      waitingReason: undefined,
      nextDropAt: 0,
    };
    try {
      return await buildReadModel(run, following[Symbol.asyncIterator](), own);
    } finally {
      stop.abort();
    }
  };
  const applyRest = async (store: EventStore, projection: Projection): Promise<void> => {
    const { epoch, position } = await acquire(projection);
    const page = await store.readTape({ after: position, limit: 1_000, types: projection.types });
    const prepared = preparePage(projection, page);
    expect((await applyPage(database.pool, projection, prepared, { epoch, position, leaseMs })).applied).toBe(
      true,
    );
  };
  const parkedOf = async ({ version }: Projection): Promise<readonly unknown[]> =>
    (
      await database.pool.query(
        'select position, key, error from projection_parked_events where version = $1 order by position',
        [version],
      )
    ).rows;

  it('gives the same rows and parked events as one page, with any limits and crashes', async () => {
    const events = fc.array(anyEvent, { minLength: 1, maxLength: 60 });
    await checkAsyncProperty(
      fc.asyncProperty(events, fc.array(attempt, { maxLength: 6 }), limits, async (log, attempts, last) => {
        const store = createMemoryEventStore({ types: sampleTypes });
        for (const { stream, type, amount, poison } of log) {
          await store.append(stream, 'ANY', [sampleEvent(type, { amount, poison, title: stream })]);
        }
        await startFromZero(built);
        for (const { limits: own, diesAfter } of attempts) {
          await buildOnce(store, poolDyingAfter(database.pool, diesAfter), own).catch((error: unknown) =>
            expect(String(error)).toContain('died'),
          );
        }
        const outcome = await buildOnce(store, database.pool, last);
        expect(outcome).not.toBe('over');
        if (outcome === 'needs-parking') await applyRest(store, built);
        await startFromZero(inOnePage);
        await applyRest(store, inOnePage);
        expect(await dumpReadModel(database.pool, built)).toBe(await dumpReadModel(database.pool, inOnePage));
        expect(await parkedOf(built)).toEqual(await parkedOf(inOnePage));
      }),
      { numRuns: 100 },
    );
  });

  it('writes each row once for the events of many pages, in one transaction', async () => {
    const store = await storeOf(300);
    await startFromZero(built);
    await projectToEnd({
      store,
      projections: [built],
      databases: { tapedeck: database.pool },
      batchSize: 10,
    });
    const { rows } = await database.pool.query(`
      select count(*)::int as rows, count(distinct xmin::text)::int as transactions,
        pg_relation_size('totals_v1')::int as size from (select xmin from totals_v1 union all select xmin from amounts_v1) rows`);
    expect(rows).toEqual([{ rows: 300, transactions: 1, size: 8_192 }]);
    expect((await acquire(built)).indexed).toBe(true);
  });

  it('ends when another process has taken the lease, and writes nothing', async () => {
    const store = await storeOf(30);
    await startFromZero(built);
    const taken = database.pool.query.bind(database.pool);
    const stealing: Pool = new Proxy(database.pool, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'connect') return typeof value === 'function' ? value.bind(target) : value;
        return async () => {
          await taken('update projection_checkpoints set lease_owner = $1, lease_epoch = lease_epoch + 1', [
            newId(),
          ]);
          return target.connect();
        };
      },
    });
    expect(await buildOnce(store, stealing)).toBe('over');
    expect((await database.pool.query('select 1 from totals_v1')).rowCount).toBe(0);
  });
});
