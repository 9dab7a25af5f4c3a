import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import { dumpReadModel, projectToEnd, rebuildInto } from '../projections.ts';
import { checkAsyncProperty } from '../testing/property.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { retryParked } from './retry-parked.ts';

const sample = sampleProjection();
/** A read model with a row of its own for each stream, and one row that all events change. */
const broken: Projection = {
  ...sample,
  tables: [
    ...sample.tables,
    {
      name: 'newest',
      key: ['id'],
      columns: { id: 'integer', position: 'bigint not null' },
      growing: ['position'],
    },
  ],
  fold: (events) =>
    events.flatMap((event) => [
      ...sample.fold([event]),
      { op: 'put', table: 'newest', key: { id: 1 }, row: { position: event.position } },
    ]),
};
const corrected: Projection = {
  ...broken,
  fold: (events) =>
    broken.fold(
      events.map((event) => ({
        ...event,
        data: { ...event.data, poison: false, amount: Number(event.data['amount']) || 0 },
      })),
    ),
};

const streams = ['sample-a', 'sample-b', 'sample-c'];
const append = fc.record({
  op: fc.constant('append' as const),
  stream: fc.constantFrom(...streams),
  type: fc.constantFrom('Opened', 'Added', 'Added', 'Closed'),
  amount: fc.oneof({ weight: 6, arbitrary: fc.nat(99) }, { weight: 1, arbitrary: fc.constant('refused') }),
  poison: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const retry = fc.record({
  op: fc.constant('retry' as const),
  key: fc.option(fc.constantFrom(...streams), { nil: undefined }),
  isCorrected: fc.boolean(),
});
const project = fc.record({ op: fc.constant('project' as const), batchSize: fc.integer({ min: 1, max: 9 }) });
const step = fc.oneof(
  { weight: 8, arbitrary: append },
  { weight: 2, arbitrary: project },
  { weight: 2, arbitrary: retry },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe('a read model with parked events', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const run = async (store: EventStore, one: Step): Promise<void> => {
    const { pool } = database;
    if (one.op === 'append') {
      const { stream, type, amount, poison } = one;
      await store.append(stream, 'ANY', [sampleEvent(type, { amount, poison, title: stream })]);
    } else if (one.op === 'project') {
      const { batchSize } = one;
      await projectToEnd({ store, projections: [broken], databases: { tapedeck: pool }, batchSize });
    } else {
      const { isCorrected, key } = one;
      const projection = isCorrected ? corrected : broken;
      await retryParked({ store, projection, pool, ...(key === undefined ? {} : { key }) });
    }
  };

  it('equals one built from zero after its last parked event was retried, whenever the others were', async () => {
    await checkAsyncProperty(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const { pool } = database;
        await pool.query('delete from projection_checkpoints');
        const store = createMemoryEventStore({ types: sampleTypes });
        await run(store, { op: 'project', batchSize: 5 });
        for (const one of steps) await run(store, one);
        await run(store, { op: 'project', batchSize: 5 });
        const { parked } = await retryParked({ store, projection: corrected, pool });
        expect(parked).toBe(0);
        await rebuildInto({ store, projection: corrected, pool });
        expect(await dumpReadModel(pool, corrected)).toBe(await dumpReadModel(pool, corrected, '_check'));
      }),
      { numRuns: 40 },
    );
  });
});
