import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import pg from 'pg';
import { migrate } from '../migrations.ts';
import { testDatabases, type TestDatabases } from '../testing/databases.ts';
import { createSharedCounts, type SharedCounts } from './shared-counts.ts';
import { platformMigrations } from './rate-limit-table.ts';

const windowMs = 60_000;
const openedAt = Math.floor(Date.now() / windowMs) * windowMs;
let now = openedAt;
let databases: TestDatabases;
const opened: SharedCounts[] = [];

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, platformMigrations);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  await databases.tapedeck.query('truncate rate_limit_counts');
});
afterAll(() => databases.drop());

type Counted = Readonly<{ current: number; ttl: number }>;
type Count = (client: string) => Counted;

/** The counts of one process. */
const open = (pool: pg.Pool = databases.tapedeck, errors: unknown[] = []): Count => {
  const counts = createSharedCounts({
    pool,
    secret: 'secret',
    onError: (error) => errors.push(error),
    now: () => now,
  });
  opened.push(counts);
  const settings = { rateClass: 'writes' };
  const store = new counts.Store(settings);
  return (client) => {
    let counted: Counted | undefined;
    store.incr(client, (_error, result) => (counted = result), windowMs, 10);
    if (!counted) throw new Error('It was not counted at once.');
    return counted;
  };
};

describe('createSharedCounts', () => {
  it('counts the requests of several processes together, without waiting for the database', async () => {
    const [one, two] = [open(), open()];
    for (let request = 1; request <= 5; request++) expect(one('ann').current).toBe(request);
    let own = 0;
    await eventually(async () => {
      own++;
      expect(two('ann').current).toBeGreaterThanOrEqual(5 + own);
    });
    expect(two('bob').current).toBe(1);
  });

  it('begins at 1 in the next window', async () => {
    const [one, two] = [open(), open()];
    expect(one('ann')).toEqual({ current: 1, ttl: windowMs - (now - openedAt) });
    await eventually(async () => expect(two('ann').current).toBeGreaterThan(2));
    now += windowMs;
    expect([one('ann').current, two('ann').current]).toEqual([1, 1]);
    await eventually(async () => {
      const { rows } = await databases.tapedeck.query('select requests from rate_limit_counts');
      expect(rows).toEqual([{ requests: 2 }]);
    });
  });

  it('stores neither session nor address', async () => {
    open()('address 192.0.2.1');
    await eventually(async () => {
      const { rows } = await databases.tapedeck.query<{ row: string }>(
        `select encode(client, 'escape') || requests as row from rate_limit_counts`,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain('192.0.2.1');
    });
  });

  it('counts in each process for itself while the database is lost', async () => {
    const lost = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/lost' });
    const errors: unknown[] = [];
    const count = open(lost, errors);
    let requests = 0;
    await eventually(async () => {
      expect(count('ann').current).toBe(++requests);
      expect(errors).not.toEqual([]);
    });
    expect(count('ann').current).toBe(requests + 1);
    await lost.end();
  });

  it('forgets the clients seen longest ago beyond ten thousand, and closes soon when no count can be sent', async () => {
    const errors: unknown[] = [];
    const count = open(new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/lost' }), errors);
    for (let at = 0; at < 30_000; at++) count(`client ${at}`);
    const countsOf = (clients: readonly number[]): readonly number[] =>
      clients.map((at) => count(`client ${at}`).current);
    expect(countsOf([0, 10_000, 19_999])).toEqual([1, 1, 1]);
    expect(countsOf([21_100, 25_000, 29_999])).toEqual([2, 2, 2]);
    await Promise.all(opened.splice(0).map(({ close }) => close()));
    expect(errors).toHaveLength(1);
  });
});
