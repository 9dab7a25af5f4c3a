import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import type { Projection } from '../projection.ts';
import { dumpReadModel, projectToEnd, rebuildInto } from '../projections.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { useTestStores } from '../testing/test-stores.ts';
import { retryParked } from './retry-parked.ts';

const broken = sampleProjection();
const corrected: Projection = {
  ...broken,
  fold: (events) =>
    broken.fold(events.map((event) => ({ ...event, data: { ...event.data, poison: false } }))),
};

describe('retryParked', () => {
  const { pool, newStore } = useTestStores();

  const added = (data: JsonObject, schemaVersion = 1) => sampleEvent('Added', data, { schemaVersion });
  /** Two parked events of one stream. */
  const parkTwo = async (store: EventStore, schemaVersion = 1): Promise<void> => {
    await store.append('sample-a', 'NO_STREAM', [
      sampleEvent('Opened', { title: 'a' }),
      added({ amount: 1 }, schemaVersion),
      added({ amount: 2, poison: true }, schemaVersion),
      added({ amount: 3 }, schemaVersion),
    ]);
    await projectToEnd({ store, projections: [broken], databases: { tapedeck: pool() } });
  };
  const retryAll = (store: EventStore) => retryParked({ store, projection: corrected, pool: pool() });
  const expectSameAsRebuilt = async (store: EventStore): Promise<void> => {
    await rebuildInto({ store, projection: corrected, pool: pool() });
    expect(await dumpReadModel(pool(), corrected)).toBe(await dumpReadModel(pool(), corrected, '_check'));
  };

  it('applies the parked events from a new store while an append is open', async () => {
    const store = newStore();
    await parkTwo(store);
    const writer = await pool().connect();
    await writer.query('begin');
    await writer.query(
      `select tape_append('{sample-b}', '{0}', '{1}', array[gen_random_uuid()], '{Opened}', '{1}',
         array['{"title":"b"}'::json], array['{}'::json])`,
    );
    const result = await retryAll(newStore());
    await writer.query('rollback');
    writer.release();
    expect(result).toEqual({ retried: 2, parked: 0, errors: [] });
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
    const result = await retryAll(newStore(known));
    expect(result).toMatchObject({ retried: 0, parked: 2 });
    expect(result.errors).toEqual([
      {
        key: 'sample-a',
        position: expect.anything(),
        error: expect.stringContaining('newer version of the program'),
      },
    ]);
    expect(await retryAll(store)).toEqual({ retried: 2, parked: 0, errors: [] });
    await expectSameAsRebuilt(store);
  });

  it('finds events that were parked without their version in the stream', async () => {
    const store = newStore();
    await parkTwo(store);
    await pool().query('update projection_parked_events set stream_version = null');
    expect(await retryAll(newStore())).toEqual({ retried: 2, parked: 0, errors: [] });
    await expectSameAsRebuilt(store);
  });

  it.each([
    ['its stream is shorter', 'stream_version = stream_version + 7'],
    ['its stream has no event there', `stream_version = null, stream = 'sample-z'`],
    ['version 1 is at position', 'stream_version = 1'],
  ])('keeps an event parked that the tape does not have: %s', async (reason, change) => {
    const store = newStore();
    await parkTwo(store);
    await pool().query(`update projection_parked_events set ${change} where error is not null`);
    const result = await retryAll(store);
    expect(result).toMatchObject({ retried: 0, parked: 2, errors: [{ key: 'sample-a' }] });
    expect(result.errors[0]?.error).toContain(reason);
  });
});
