import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import {
  dumpReadModel,
  projectionStatus,
  rebuildInto,
  startProjector,
  waitForPosition,
  type Projector,
} from '../projections.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { applyPage, preparePage } from './apply-page.ts';
import { acquireLease } from './checkpoint.ts';
import { prepareProjection } from './prepare-projection.ts';
import type { ProjectorOptions } from './projector.ts';

describe('several projectors of one projection', () => {
  let database: TestDatabase;
  let store: EventStore;
  const projection = sampleProjection();
  let running: Projector[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ pool: database.pool, types: sampleTypes });
  });
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.stop()));
    running = [];
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const start = (pool: Pool, options: Partial<ProjectorOptions> = {}): Projector => {
    const databases = { tapedeck: pool };
    const projector = startProjector({ store, projections: [projection], databases, ...options });
    running.push(projector);
    return projector;
  };
  const owner = async (): Promise<string | null | undefined> => {
    const databases = { tapedeck: database.pool };
    const [status] = await projectionStatus({ store, projections: [projection], databases });
    return status?.leaseOwner;
  };
  const add = async (n: number): Promise<bigint> => {
    const result = await store.append(`sample-${n % 7}`, 'ANY', [
      sampleEvent('Opened', { title: String(n) }),
      sampleEvent('Added', { amount: n }),
    ]);
    return result.outcome === 'conflict' ? 0n : result.position;
  };
  const expectSameAsRebuilt = async (): Promise<void> => {
    await rebuildInto({ store, projection, pool: database.pool });
    expect(await dumpReadModel(database.pool, projection, '_check')).toBe(
      await dumpReadModel(database.pool, projection),
    );
  };

  it('run one at a time, and another continues at once when the first stops', async () => {
    const one = start(database.pool);
    await eventually(async () => expect(await owner()).toEqual(expect.any(String)));
    const first = await owner();
    start(database.pool);
    expect(await waitForPosition(database.pool, 'totals', await add(1), 20_000)).toBe(true);
    expect(await owner()).toBe(first);
    await one.stop();
    expect(await waitForPosition(database.pool, 'totals', await add(2), 20_000)).toBe(true);
    expect(await owner()).not.toBe(first);
    await expectSameAsRebuilt();
  });

  it('take over from a dead one within ten seconds with the default settings', async () => {
    await prepareProjection(database.pool, projection);
    const dead = await acquireLease(database.pool, projection, 'host/1/dead', 6_000);
    expect(dead?.epoch).toEqual(expect.any(String));
    const died = performance.now();
    const position = await add(3);
    start(database.pool);
    expect(await waitForPosition(database.pool, 'totals', position, 10_000)).toBe(true);
    const seconds = (performance.now() - died) / 1_000;
    expect(seconds).toBeGreaterThan(5.5);
    expect(seconds).toBeLessThan(10);
    await expectSameAsRebuilt();
  });

  it('write neither rows nor checkpoint after another one has the lease', async () => {
    await prepareProjection(database.pool, projection);
    const old = await acquireLease(database.pool, projection, 'host/1/old', 1);
    await eventually(async () => {
      expect(await acquireLease(database.pool, projection, 'host/2/new', 1)).toBeDefined();
    });
    await add(4);
    const page = await store.readTape({ after: old?.position ?? 0n, limit: 100, types: projection.types });
    const before = await dumpReadModel(database.pool, projection);
    const late = { epoch: old?.epoch ?? '', position: old?.position ?? 0n, leaseMs: 1_000 };
    expect(await applyPage(database.pool, projection, preparePage(projection, page), late)).toEqual({
      applied: false,
      parked: [],
    });
    expect(await dumpReadModel(database.pool, projection)).toBe(before);
  });

  it('lose and repeat no event when leases expire all the time', async () => {
    await database.pool.query('update projection_checkpoints set lease_owner = null');
    // Leases that expire before they are renewed: another projector may take over during every batch.
    for (let n = 0; n < 4; n++) start(database.pool, { leaseMs: 5, batchSize: 3 });
    let last = 0n;
    for (let n = 0; n < 150; n++) last = await add(n);
    expect(await waitForPosition(database.pool, 'totals', last, 20_000)).toBe(true);
    await Promise.all(running.map((projector) => projector.stop()));
    await expectSameAsRebuilt();
  });

  it('continue after the loss of all their connections', async () => {
    const pool = new Pool({ connectionString: database.url, application_name: 'to be terminated', max: 5 });
    pool.on('error', () => {});
    const storeWithLostConnections = createPostgresEventStore({ pool, types: sampleTypes });
    start(pool, { store: storeWithLostConnections, leaseMs: 500 });
    expect(await waitForPosition(database.pool, 'totals', await add(5), 20_000)).toBe(true);
    for (let n = 0; n < 3; n++) {
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'to be terminated' and datname = current_database()`,
      );
      expect(await waitForPosition(database.pool, 'totals', await add(n), 10_000)).toBe(true);
    }
    await Promise.all(running.map((projector) => projector.stop()));
    await storeWithLostConnections.close();
    await pool.end();
    await expectSameAsRebuilt();
  });
});
