import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import {
  dumpReadModel,
  projectionStatus,
  projectToEnd,
  rebuildInto,
  startProjector,
  waitForPosition,
  type Projector,
} from '../projections.ts';
import { eventually } from '../testing/eventually.ts';
import { copyDatabase, swapDatabases } from '../testing/restored-tape.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';

const projection = sampleProjection();
const codeOfAnotherTape = 'READ_MODEL_OF_ANOTHER_TAPE';

describe('a read model whose tape was restored from a backup', () => {
  let tape: TestDatabase;
  let restored: TestDatabase;
  let models: TestDatabase;
  const stores: EventStore[] = [];
  const running: Projector[] = [];

  const storeOf = (database: TestDatabase): EventStore => {
    const store = createPostgresEventStore({ url: database.url, types: sampleTypes });
    stores.push(store);
    return store;
  };
  const databases = () => ({ tapedeck: models.pool });
  const start = (store: EventStore): void => {
    running.push(startProjector({ store, projections: [projection], databases: databases(), leaseMs: 500 }));
  };
  const statusOf = async (store: EventStore) =>
    (await projectionStatus({ store, projections: [projection], databases: databases() }))[0];
  const add = async (store: EventStore, count: number, stream = 'sample-a'): Promise<bigint> => {
    for (let n = 0; n < count; n++) {
      await store.append(stream, 'ANY', [sampleEvent('Opened', { title: `${stream} ${n}` })]);
    }
    return store.head();
  };

  // Five events in the backup, and three more that only the read model has seen.
  beforeEach(async () => {
    [tape, models] = [await testDatabase(), await testDatabase()];
    const store = storeOf(tape);
    await add(store, 5);
    restored = await copyDatabase(tape);
    const later = storeOf(tape);
    await add(later, 3);
    await projectToEnd({ store: later, projections: [projection], databases: databases() });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    for (const store of stores.splice(0)) await store.close();
    for (const database of [restored, tape, models]) await database.drop();
  });

  const expectRefused = async (store: EventStore): Promise<void> => {
    const rows = await dumpReadModel(models.pool, projection);
    start(store);
    await eventually(async () =>
      expect(await statusOf(store)).toMatchObject({
        lastErrorCode: codeOfAnotherTape,
        lastError: expect.stringContaining('delete from projection_checkpoints'),
        leaseOwner: null,
      }),
    );
    expect(await register.metrics()).toContain('projection_of_another_tape{projection="totals"} 1');
    expect(await dumpReadModel(models.pool, projection)).toBe(rows);
  };

  it('is not projected from a tape that ends before its checkpoint', async () => {
    await expectRefused(storeOf(restored));
  });

  it('is not projected from a tape that has other events up to its checkpoint', async () => {
    const store = storeOf(restored);
    await add(store, 6);
    await expectRefused(store);
  });

  it('is not projected from a tape whose stream has another event at the same position', async () => {
    const store = storeOf(restored);
    await add(store, 3);
    await expectRefused(store);
  });

  it('is not projected from a tape that has other events of types that it does not read', async () => {
    const later = storeOf(tape);
    await later.append('sample-b', 'NO_STREAM', [sampleEvent('Ignored'), sampleEvent('Ignored')]);
    await projectToEnd({ store: later, projections: [projection], databases: databases() });
    const backup = await copyDatabase(tape);
    const another = storeOf(tape);
    await another.append('sample-c', 'NO_STREAM', [sampleEvent('Ignored')]);
    await projectToEnd({ store: another, projections: [projection], databases: databases() });
    const store = storeOf(backup);
    await store.append('sample-d', 'NO_STREAM', [sampleEvent('Ignored'), sampleEvent('Ignored')]);
    await expectRefused(store);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    stores.splice(stores.indexOf(store), 1);
    await store.close();
    await backup.drop();
  });

  it('is built again from the tape after its checkpoint was deleted, while its projector runs', async () => {
    const store = storeOf(restored);
    await expectRefused(store);
    const last = await add(store, 1, 'sample-z');
    const message = (await statusOf(store))?.lastError ?? '';
    const statement = /run: (delete from [^;]+);/.exec(message)?.[1] ?? '';
    await models.pool.query(statement);
    expect(await waitForPosition(models.pool, 'totals', last, 15_000)).toBe(true);
    await rebuildInto({ store, projection, pool: models.pool });
    expect(await dumpReadModel(models.pool, projection, '_check')).toBe(
      await dumpReadModel(models.pool, projection),
    );
    await eventually(async () =>
      expect(await register.metrics()).toContain('projection_of_another_tape{projection="totals"} 0'),
    );
  });

  it('is compared again when its tape is replaced while its projector runs', async () => {
    const store = storeOf(tape);
    start(store);
    await eventually(async () => expect((await statusOf(store))?.leaseOwner).toEqual(expect.any(String)));
    await swapDatabases(tape, restored);
    await eventually(async () => expect((await statusOf(store))?.lastErrorCode).toBe(codeOfAnotherTape));
  });

  it('is projected again, without an error in its status, when its tape is back', async () => {
    const store = storeOf(tape);
    start(store);
    await eventually(async () => expect((await statusOf(store))?.leaseOwner).toEqual(expect.any(String)));
    await swapDatabases(tape, restored);
    await eventually(async () => expect((await statusOf(store))?.lastErrorCode).toBe(codeOfAnotherTape));
    await swapDatabases(tape, restored);
    await eventually(async () =>
      expect(await statusOf(store)).toMatchObject({ lastError: null, lastErrorCode: null }),
    );
    const last = await add(store, 1, 'sample-y');
    expect(await waitForPosition(models.pool, 'totals', last, 20_000)).toBe(true);
  });
});
