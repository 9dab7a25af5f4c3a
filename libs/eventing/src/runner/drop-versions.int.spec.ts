import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tapedeck/kernel';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import {
  dropVersion,
  projectionStatus,
  projectToEnd,
  startProjector,
  switchBack,
  type Projector,
} from '../projections.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { dropExpiredVersions } from './drop-versions.ts';

const dayMs = 86_400_000;
const first = sampleProjection();
const second = sampleProjection({ version: 2 });
const broken = sampleProjection({
  version: 3,
  fold: () => {
    throw new Error('broken');
  },
});

describe('a version of a read model that is not live', () => {
  let database: TestDatabase;
  let store: EventStore;
  let clock: ReturnType<typeof fixedClock>;
  const running: Projector[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ pool: database.pool, types: sampleTypes });
    clock = fixedClock(Date.now());
    await add();
    for (const projection of [first, second, broken]) await project(projection);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await store.close();
    await database.drop();
  });

  const databases = () => ({ tapedeck: database.pool });
  const add = () => store.append('sample-a', 'ANY', [sampleEvent('Opened', { title: 'a' })]);
  const project = (projection: Projection) =>
    projectToEnd({ store, projections: [projection], databases: databases() });
  const start = (projection: Projection): Projector => {
    const projector = startProjector({
      store,
      projections: [projection],
      databases: databases(),
      clock,
      leaseMs: 300,
    });
    running.push(projector);
    return projector;
  };
  const statuses = async (): Promise<Readonly<Record<number, string>>> => {
    const all = await projectionStatus({ store, projections: [first], databases: databases() });
    return Object.fromEntries(all.map(({ version, status }) => [version, status]));
  };
  const leased = async (version: number): Promise<boolean> => {
    const all = await projectionStatus({ store, projections: [first], databases: databases() });
    return all.some((one) => one.version === version && one.leaseOwner !== null);
  };
  const dropExpired = () =>
    dropExpiredVersions(database.pool, second.name, { dropAfterMs: 7 * dayMs, clock });
  const countOf = async (sql: string): Promise<number> =>
    (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${sql}`)).rows[0]?.n ?? -1;

  it('is dropped a week after it was retired or last built, with all that is stored about it', async () => {
    expect(await statuses()).toEqual({ 1: 'retired', 2: 'live', 3: 'building' });
    clock.advance(6 * dayMs);
    expect(await dropExpired()).toEqual([]);
    clock.advance(2 * dayMs);
    expect(await dropExpired()).toEqual([1, 3]);
    expect(await statuses()).toEqual({ 2: 'live' });
    expect(
      await countOf(`pg_class where relname in ('totals_v1', 'amounts_v1', 'totals_v3', 'amounts_v3')`),
    ).toBe(0);
    expect(await countOf('projection_parked_events')).toBe(0);
    expect(await countOf('totals')).toBe(1);
    expect(await dropExpired()).toEqual([]);
  });

  it('is not dropped while a process runs it', async () => {
    const projector = start(first);
    await eventually(async () => expect(await leased(1)).toBe(true));
    clock.advance(30 * dayMs);
    expect(await dropExpired()).toEqual([3]);
    await expect(dropVersion(database.pool, first)).rejects.toThrow('is run by');
    await projector.stop();
    expect(await dropExpired()).toEqual([1]);
  });

  it('is dropped by the runner of the live one', async () => {
    start(second);
    await eventually(async () => expect(await leased(2)).toBe(true));
    clock.advance(8 * dayMs);
    await eventually(async () => expect(await statuses()).toEqual({ 2: 'live' }));
  });

  it('can be switched back to only when it is not behind the live one', async () => {
    await add();
    await project(second);
    await expect(switchBack(database.pool, first)).rejects.toThrow('1 positions behind version 2');
    expect(await statuses()).toMatchObject({ 1: 'retired', 2: 'live' });
    await project(first);
    await switchBack(database.pool, first);
    expect(await statuses()).toMatchObject({ 1: 'live', 2: 'retired' });
    clock.advance(8 * dayMs);
    expect(await dropExpired()).toEqual([2, 3]);
    expect(await countOf('totals')).toBe(1);
  });
});
