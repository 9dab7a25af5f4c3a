import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import fc from 'fast-check';
import { createMemoryEventStore } from '../adapters/memory.ts';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { anyEvent } from '../testing/any-event.ts';
import { poolDyingAfter } from '../testing/dying-pool.ts';
import { checkAsyncProperty } from '../testing/property.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { applyPage, preparePage } from './apply-page.ts';
import { acquireLease } from './checkpoint.ts';
import { prepareProjection } from './prepare-projection.ts';
import { dumpReadModel } from './read-model-dump.ts';

const leaseMs = 60_000;

/** One attempt to apply the next page: its size, whether the process dies, whether the page is applied again. */
const attempt = fc.record({
  size: fc.integer({ min: 1, max: 9 }),
  diesAfter: fc.option(fc.integer({ min: 0, max: 9 })),
  repeated: fc.boolean(),
});

describe('applyPage', () => {
  let database: TestDatabase;
  const projection = sampleProjection();
  const fromZero = sampleProjection({ version: 2 });
  beforeAll(async () => {
    database = await testDatabase();
    await prepareProjection(database.pool, projection);
    await prepareProjection(database.pool, fromZero);
  });
  afterAll(() => database.drop());

  const resetProjection = async (one: Projection): Promise<string> => {
    await database.pool.query(`
      delete from totals_v${one.version};
      delete from amounts_v${one.version};
      delete from projection_parked_events where version = ${one.version};
      update projection_checkpoints set position = 0, parked = 0, lease_owner = null where version = ${one.version}`);
    const lease = await acquireLease(database.pool, one, newId(), leaseMs);
    return lease?.epoch ?? '';
  };

  const checkpoint = async (): Promise<Position> => {
    const { rows } = await database.pool.query<{ position: string }>(
      'select position from projection_checkpoints where version = 1',
    );
    return BigInt(rows[0]?.position ?? -1);
  };

  const projectWithFaults = async (store: EventStore, attempts: readonly Attempt[]): Promise<void> => {
    const epoch = await resetProjection(projection);
    const head = await store.head();
    for (let n = 0, position = 0n; position < head; n++) {
      const { size = 5, diesAfter = null, repeated = false } = attempts[n] ?? {};
      const page = await store.readTape({ after: position, limit: size, types: projection.types });
      const pool = diesAfter === null ? database.pool : poolDyingAfter(database.pool, diesAfter);
      const move = { epoch, position, leaseMs };
      await applyPage(pool, projection, preparePage(projection, page), move).catch((error: unknown) => {
        expect(String(error)).toContain('died');
      });
      position = await checkpoint();
      if (!repeated || position === move.position) continue;
      const again = await applyPage(database.pool, projection, preparePage(projection, page), move);
      expect(again).toEqual({ applied: false, parked: [] });
    }
  };

  const projectInOnePage = async (store: EventStore): Promise<void> => {
    const epoch = await resetProjection(fromZero);
    const page = await store.readTape({ after: 0n, limit: 1_000, types: fromZero.types });
    const { applied } = await applyPage(database.pool, fromZero, preparePage(fromZero, page), {
      epoch,
      position: 0n,
      leaseMs,
    });
    expect(applied).toBe(true);
  };

  it('gives the same rows for pages of any size, with crashes and repeated pages, as one page without faults', async () => {
    const events = fc.array(anyEvent, { minLength: 1, maxLength: 40 });
    const attempts = fc.array(attempt, { maxLength: 12 });
    await checkAsyncProperty(
      fc.asyncProperty(events, attempts, async (log, plan) => {
        const store = createMemoryEventStore({ types: sampleTypes });
        for (const { stream, type, amount, poison } of log) {
          await store.append(stream, 'ANY', [sampleEvent(type, { amount, poison, title: stream })]);
        }
        await projectWithFaults(store, plan);
        await projectInOnePage(store);
        const expected = await dumpReadModel(database.pool, fromZero);
        expect(await dumpReadModel(database.pool, projection)).toBe(expected);
      }),
      { numRuns: 100 },
    );
  });
});

type Attempt = Readonly<{ size: number; diesAfter: number | null; repeated: boolean }>;
