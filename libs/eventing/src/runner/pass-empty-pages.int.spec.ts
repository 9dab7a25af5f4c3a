import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { acquireLease, type CheckpointMove } from './checkpoint.ts';
import { passEmptyPage } from './pass-empty-pages.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const leaseMs = 60_000;
const consumerIdOf = (name: string) => ({ name, version: 1 });

/** A checkpoint at 0 with a lease; returns the move to 5 under it. */
const leased = async (name: string): Promise<CheckpointMove> => {
  await database.pool.query(
    `insert into projection_checkpoints (projection, version, status, tables_hash, position)
     values ($1, 1, 'live', '', 0)`,
    [name],
  );
  const lease = await acquireLease(database.pool, consumerIdOf(name), `owner of ${name}`, leaseMs);
  return { epoch: lease?.epoch ?? '', from: 0n, to: 5n, leaseMs };
};

const positionOf = async (name: string): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ position: string }>(
    'select position from projection_checkpoints where projection = $1',
    [name],
  );
  return rows[0]?.position;
};

describe('passing pages without an event of the consumer', () => {
  it('moves the checkpoints of those whose row is free, while one of them is locked', async () => {
    const { pool } = database;
    const names = ['free', 'locked', 'free too'];
    const moves = await Promise.all(names.map(leased));
    const other = await pool.connect();
    await other.query('begin');
    await other.query(`select from projection_checkpoints where projection = 'locked' for update`);
    const passing = names.map((name, at) =>
      passEmptyPage(pool, consumerIdOf(name), moves[at] ?? { epoch: '', from: 0n, to: 5n, leaseMs }),
    );
    expect(await Promise.all([passing[0], passing[2]])).toEqual([0, 0]);
    expect(await Promise.all(names.map(positionOf))).toEqual(['5', '0', '5']);
    await other.query('commit');
    other.release();
    expect(await passing[1]).toBe(0);
    expect(await positionOf('locked')).toBe('5');
  });

  it('moves no checkpoint whose lease another run of the process has, not even together with that one', async () => {
    const { pool } = database;
    const lost = await leased('taken');
    await pool.query(
      `update projection_checkpoints set lease_until = clock_timestamp() where projection = 'taken'`,
    );
    const { epoch = '' } = (await acquireLease(pool, consumerIdOf('taken'), 'successor', leaseMs)) ?? {};
    const passed = await Promise.all([
      passEmptyPage(pool, consumerIdOf('taken'), lost),
      passEmptyPage(pool, consumerIdOf('taken'), { ...lost, epoch }),
    ]);
    expect(passed).toEqual([undefined, 0]);
  });
});
