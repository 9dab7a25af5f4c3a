import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import type { Projection } from '../projection.ts';
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

const newerTypes: EventTypes = {
  ...sampleTypes,
  Added: { version: 2, upcasters: [({ amount = 0, ...data }) => ({ ...data, amount })] },
};

describe('an older version of the program beside a newer one', () => {
  let database: TestDatabase;
  const stores: EventStore[] = [];
  const running: Projector[] = [];
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    for (const store of stores.splice(0)) await store.close();
    await database.drop();
  });

  const projection = sampleProjection();
  const newStore = (types: EventTypes): EventStore => {
    const store = createPostgresEventStore({ pool: database.pool, types });
    stores.push(store);
    return store;
  };
  const start = (store: EventStore, one: Projection = projection, log: string[] = []): Projector => {
    const write = (details: object): void => void log.push(String('err' in details ? details.err : ''));
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: write };
    const projections = [one];
    const projector = startProjector({ store, projections, databases: databases(), logger, leaseMs: 400 });
    running.push(projector);
    return projector;
  };
  const databases = () => ({ tapedeck: database.pool });
  const statusOf = async (store: EventStore) =>
    (await projectionStatus({ store, projections: [projection], databases: databases() }))[0];

  const add = async (store: EventStore, stream: string, schemaVersion = 1): Promise<bigint> => {
    const added = sampleEvent('Added', { amount: 2 }, { schemaVersion });
    const result = await store.append(stream, 'ANY', [sampleEvent('Opened', { title: stream }), added]);
    return result.outcome === 'conflict' ? 0n : result.position;
  };

  it('stops before an event that it does not know, says so, and leaves it to the newer one', async () => {
    const [older, newer] = [newStore(sampleTypes), newStore(newerTypes)];
    const log: string[] = [];
    const projector = start(older, projection, log);
    const known = await add(older, 'sample-a');
    expect(await waitForPosition(database.pool, 'totals', known, 20_000)).toBe(true);
    const last = await add(newer, 'sample-b', 2);
    await add(newer, 'sample-c', 2);
    await eventually(async () =>
      expect(await statusOf(newer)).toMatchObject({
        lastError: expect.stringContaining('newer version of the program'),
        lastErrorCode: 'EVENT_UNKNOWN',
      }),
    );
    expect(log.join()).toContain('newer version of the program');
    const stopped = await statusOf(newer);
    expect(stopped?.position).toBeLessThan(last);
    expect((await database.pool.query(`select 1 from totals where stream = 'sample-b'`)).rowCount).toBe(1);

    start(newer);
    expect(await waitForPosition(database.pool, 'totals', await newer.head(), 10_000)).toBe(true);
    await projector.stop();
    const { rows } = await database.pool.query('select stream, last from totals order by stream');
    expect(rows).toEqual(['sample-a', 'sample-b', 'sample-c'].map((stream) => ({ stream, last: 2 })));
    await rebuildInto({ store: newer, projection, pool: database.pool });
    expect(await dumpReadModel(database.pool, projection, '_check')).toBe(
      await dumpReadModel(database.pool, projection),
    );
    expect(await statusOf(newer)).toMatchObject({ lastError: null, lastErrorCode: null });
  });

  it('must have another version of a read model that has other event types', async () => {
    const store = newStore(sampleTypes);
    const older = start(store, { ...projection, types: ['Opened', 'Added'] });
    expect(await waitForPosition(database.pool, 'totals', await add(store, 'sample-a'), 20_000)).toBe(true);
    await older.stop();
    start(store);
    await eventually(async () => expect((await statusOf(store))?.lastError).toContain('raise its version'));
    expect((await statusOf(store))?.leaseOwner).toBeNull();
  });
});
