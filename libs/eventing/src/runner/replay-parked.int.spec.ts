import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import type { Projection } from '../projection.ts';
import { dumpReadModel, projectToEnd, rebuildInto, replayParked } from '../projections.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';

const broken = sampleProjection();
const corrected: Projection = {
  ...broken,
  fold: (events) =>
    broken.fold(events.map((event) => ({ ...event, data: { ...event.data, poison: false } }))),
};

describe('replayParked', () => {
  let database: TestDatabase;
  const stores: EventStore[] = [];
  const newStore = (types: EventTypes = sampleTypes): EventStore => {
    const store = createPostgresEventStore({ pool: database.pool, types });
    stores.push(store);
    return store;
  };
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await database.drop();
  });

  const added = (data: JsonObject, schemaVersion = 1) => sampleEvent('Added', data, { schemaVersion });
  /** Two parked events of one stream. */
  const parkTwo = async (store: EventStore, schemaVersion = 1): Promise<void> => {
    await store.append('sample-a', 'NO_STREAM', [
      sampleEvent('Opened', { title: 'a' }),
      added({ amount: 1 }, schemaVersion),
      added({ amount: 2, poison: true }, schemaVersion),
      added({ amount: 3 }, schemaVersion),
    ]);
    await projectToEnd({ store, projections: [broken], databases: { tapedeck: database.pool } });
  };
  const replay = (store: EventStore) => replayParked({ store, projection: corrected, pool: database.pool });
  const expectSameAsRebuilt = async (store: EventStore): Promise<void> => {
    await rebuildInto({ store, projection: corrected, pool: database.pool });
    expect(await dumpReadModel(database.pool, corrected)).toBe(
      await dumpReadModel(database.pool, corrected, '_check'),
    );
  };

  it('applies the parked events from a new store while an append is open', async () => {
    const store = newStore();
    await parkTwo(store);
    const writer = await database.pool.connect();
    await writer.query('begin');
    await writer.query(
      `select tape_append('{sample-b}', '{0}', '{1}', array[gen_random_uuid()], '{Opened}', '{1}',
         array['{"title":"b"}'::json], array['{}'::json])`,
    );
    const result = await replay(newStore());
    await writer.query('rollback');
    writer.release();
    expect(result).toEqual({ replayed: 2, parked: 0, errors: [] });
    await expectSameAsRebuilt(store);
  });

  it.each<[string, EventTypes, number]>([
    ['a type', { Opened: { version: 1 }, Closed: { version: 1 } }, 1],
    ['a version', sampleTypes, 2],
  ])('keeps events parked whose store does not know %s of them', async (_, known, schemaVersion) => {
    const types = {
      ...sampleTypes,
      Added: { version: schemaVersion, upcasters: [(data: JsonObject) => data] },
    };
    const store = newStore(schemaVersion === 1 ? sampleTypes : types);
    await parkTwo(store, schemaVersion);
    const result = await replay(newStore(known));
    expect(result).toMatchObject({ replayed: 0, parked: 2 });
    expect(result.errors).toEqual([
      {
        key: 'sample-a',
        position: expect.anything(),
        error: expect.stringContaining('newer version of the program'),
      },
    ]);
    expect(await replay(store)).toEqual({ replayed: 2, parked: 0, errors: [] });
    await expectSameAsRebuilt(store);
  });

  it('finds events that were parked without their version in the stream', async () => {
    const store = newStore();
    await parkTwo(store);
    await database.pool.query('update projection_parked_events set stream_version = null');
    expect(await replay(newStore())).toEqual({ replayed: 2, parked: 0, errors: [] });
    await expectSameAsRebuilt(store);
  });

  it.each([
    ['its stream is shorter', 'stream_version = stream_version + 7'],
    ['its stream has no event there', `stream_version = null, stream = 'sample-z'`],
    ['version 1 is at position', 'stream_version = 1'],
  ])('keeps an event parked that the tape does not have: %s', async (reason, change) => {
    const store = newStore();
    await parkTwo(store);
    await database.pool.query(`update projection_parked_events set ${change} where error is not null`);
    const result = await replay(store);
    expect(result).toMatchObject({ replayed: 0, parked: 2, errors: [{ key: 'sample-a' }] });
    expect(result.errors[0]?.error).toContain(reason);
  });
});
