import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import { dumpReadModel, projectionStatus, projectToEnd, rebuildInto } from '../projections.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { retryParked } from './retry-parked.ts';

describe('poison events', () => {
  let database: TestDatabase;
  let store: EventStore;
  const broken = sampleProjection();
  /** The same read model with a fold that accepts all events. */
  const corrected: Projection = {
    ...broken,
    fold: (events) => broken.fold(events.map((event) => ({ ...event, data: withoutPoison(event.data) }))),
  };
  const withoutPoison = ({ amount, ...data }: JsonObject): JsonObject => ({
    ...data,
    poison: false,
    amount: amount === 'refused' ? 0 : (amount ?? 0),
  });

  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    store = createMemoryEventStore({ types: sampleTypes });
    await database.pool.query(`
      drop view if exists totals, amounts;
      drop table if exists totals_v1, amounts_v1;
      truncate projection_checkpoints, projection_parked_events`);
  });

  const add = (stream: string, ...datas: readonly JsonObject[]): Promise<unknown> =>
    store.append(
      stream,
      'ANY',
      datas.map((data) => sampleEvent('title' in data ? 'Opened' : 'Added', data)),
    );
  const project = (projection: Projection): Promise<void> =>
    projectToEnd({
      store,
      projections: [projection],
      databases: { tapedeck: database.pool },
    });
  const totals = async (): Promise<readonly unknown[]> =>
    (await database.pool.query('select stream, last, seen from totals order by stream')).rows;
  const parked = async (): Promise<readonly unknown[]> =>
    (
      await database.pool.query(
        'select stream, key, type, error is not null as failed, attempts from projection_parked_events order by position',
      )
    ).rows;

  it.each([
    ['the fold throws at', { poison: true, amount: 2 }],
    ['the database refuses', { amount: 'refused' }],
  ])(
    'that %s are parked with all later ones of their stream, and other streams are projected',
    async (_, poison) => {
      await add('sample-a', { title: 'a' }, { amount: 1 }, poison, { amount: 3 });
      await add('sample-b', { title: 'b' }, { amount: 1 }, { amount: 2 });
      await project(broken);
      await add('sample-a', { amount: 4 });
      await add('sample-b', { amount: 3 });
      await project(broken);
      expect(await totals()).toEqual([
        { stream: 'sample-a', last: 1, seen: 2 },
        { stream: 'sample-b', last: 3, seen: 4 },
      ]);
      const later = { stream: 'sample-a', key: 'sample-a', type: 'Added', failed: false, attempts: 0 };
      expect(await parked()).toEqual([{ ...later, failed: true, attempts: 1 }, later, later]);
      await rebuildInto({ store, projection: broken, pool: database.pool });
      expect(await dumpReadModel(database.pool, broken, '_check')).toBe(
        await dumpReadModel(database.pool, broken),
      );
    },
  );

  it('stay parked while their retry fails, and are projected in order once it succeeds', async () => {
    await add(
      'sample-a',
      { title: 'a' },
      { poison: true, amount: 2 },
      { amount: 3 },
      { amount: 'refused' },
      { amount: 5 },
    );
    await add('sample-b', { title: 'b' }, { amount: 'refused' }, { amount: 7 });
    await project(broken);
    const failed = await retryParked({ store, projection: broken, pool: database.pool });
    expect(failed).toMatchObject({ retried: 0, parked: 6 });
    expect(failed.errors.map(({ key }) => key)).toEqual(['sample-a', 'sample-b']);
    expect((await parked())[0]).toMatchObject({ attempts: 2 });

    const one = await retryParked({ store, projection: corrected, pool: database.pool, key: 'sample-a' });
    expect(one).toEqual({ retried: 4, parked: 2, errors: [] });
    expect(await retryParked({ store, projection: corrected, pool: database.pool })).toEqual({
      retried: 2,
      parked: 0,
      errors: [],
    });
    await rebuildInto({ store, projection: corrected, pool: database.pool });
    expect(await dumpReadModel(database.pool, corrected, '_check')).toBe(
      await dumpReadModel(database.pool, corrected),
    );
    await add('sample-a', { amount: 8 });
    await project(broken);
    expect(await totals()).toEqual([
      { stream: 'sample-a', last: 8, seen: 6 },
      { stream: 'sample-b', last: 7, seen: 3 },
    ]);
  });

  it('stop the retry of their key at the first one that still fails', async () => {
    await add(
      'sample-a',
      { title: 'a' },
      { poison: true, amount: 2 },
      { amount: 3 },
      { amount: 'refused' },
      { amount: 5 },
    );
    await project(broken);
    const halfCorrected: Projection = {
      ...broken,
      fold: (events) =>
        broken.fold(events.map((event) => ({ ...event, data: { ...event.data, poison: false } }))),
    };
    const result = await retryParked({ store, projection: halfCorrected, pool: database.pool });
    expect(result).toMatchObject({ retried: 2, parked: 2 });
    expect(result.errors).toHaveLength(1);
    expect(await totals()).toEqual([{ stream: 'sample-a', last: 3, seen: 3 }]);
  });

  it('are parked by the key that the projection defines, and counted in its status', async () => {
    const projection = sampleProjection({ keyOf: ({ data }) => String(data['group'] ?? 'none') });
    await add('sample-a', { title: 'a', group: 'g' }, { amount: 1, poison: true, group: 'g' });
    await add('sample-b', { title: 'b', group: 'g' });
    await add('sample-c', { title: 'c', group: 'h' });
    await project(projection);
    const databases = { tapedeck: database.pool };
    const [status] = await projectionStatus({ store, projections: [projection], databases });
    expect(status).toMatchObject({ parked: 2, lagEvents: 0, lastError: null, leaseOwner: null });
    expect((await totals()).length).toBe(2);
  });
});
