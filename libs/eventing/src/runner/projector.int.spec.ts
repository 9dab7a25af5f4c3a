import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { register } from 'prom-client';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  dumpReadModel,
  projectionStatus,
  projectToEnd,
  rebuildInto,
  startProjector,
  waitForPosition,
} from '../projections.ts';

describe('a projector', () => {
  let database: TestDatabase;
  let store: EventStore;
  beforeEach(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ pool: database.pool, types: sampleTypes });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  it('projects existing and new events, and reports its position in status and metrics', async () => {
    const { pool } = database;
    const databases = { tapedeck: pool };
    const projection = sampleProjection();
    const stream = `sample-${newId()}`;
    await store.append(stream, 'NO_STREAM', [
      sampleEvent('Opened', { title: 'a' }),
      sampleEvent('Added', { amount: 1 }),
      sampleEvent('Added', { amount: 2 }),
    ]);
    const projector = startProjector({ store, projections: [projection], databases });
    const more = await store.append(stream, 3, [sampleEvent('Added', { amount: 3 })]);
    expect(more.outcome).toBe('appended');
    const position = more.outcome === 'conflict' ? 0n : more.position;
    expect(await waitForPosition(pool, 'totals', position, 20_000)).toBe(true);
    const { rows } = await pool.query('select * from totals');
    expect(rows).toEqual([{ stream, title: 'a', last: 3, seen: 4 }]);
    const [status] = await projectionStatus({ store, projections: [projection], databases });
    expect(status).toMatchObject({
      version: 1,
      status: 'live',
      position,
      lagEvents: 0,
      lagSeconds: 0,
      parked: 0,
    });
    expect(status?.leaseOwner).not.toBeNull();
    await projector.stop();
    const metrics = await register.metrics();
    expect(metrics).toContain('projection_lag_events{projection="totals"} 0');
    expect(metrics).toContain(`projection_checkpoint{projection="totals"} ${position}`);
    expect(metrics).toContain('tape_mark_age_seconds 0');
    await rebuildInto({ store, projection, pool });
    expect(await dumpReadModel(pool, projection, '_check')).toBe(await dumpReadModel(pool, projection));
  });

  it('projects to the end of the tape and stops', async () => {
    const { pool } = database;
    const stream = `sample-${newId()}`;
    await store.append(stream, 'NO_STREAM', [sampleEvent('Opened', { title: 'b' }), sampleEvent('Ignored')]);
    await projectToEnd({
      store,
      projections: [sampleProjection()],
      databases: { tapedeck: pool },
    });
    const { rows } = await pool.query('select title from totals where stream = $1', [stream]);
    expect(rows).toEqual([{ title: 'b' }]);
  });
});
