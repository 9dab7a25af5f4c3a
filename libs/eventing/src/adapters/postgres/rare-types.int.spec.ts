import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import type { EventStore } from '../../event-store.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const events = 30_000;
/** One event in so many has the type. */
const every = { Common: 1, Rare: 97, Rarer: 4_001 };
const types = { Common: { version: 1 }, Rare: { version: 1 }, Rarer: { version: 1 } };

const fillSql = `
  insert into tape_events (position, stream, version, id, type, schema_version, data, metadata)
  select nextval('tape_position'), 'sample-' || n, 1, gen_random_uuid(),
    case when n % ${every.Rarer} = 5 then 'Rarer' when n % ${every.Rare} = 7 then 'Rare' else 'Common' end, 1, '{}',
    '{"actorId":"a","actorKind":"b","occurredAt":"2026-11-21T12:00:00.000Z","correlationId":"c","causationId":"d"}'
  from generate_series(1, ${events}) n`;

describe('a reader of some event types', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    await database.pool.query(fillSql);
    // One connection, so that the test sees the statements that the store has prepared.
    pool = new Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => {});
    store = createPostgresEventStore({ pool, types });
  });
  afterAll(async () => {
    await store.close();
    await pool.end();
    await database.drop();
  });

  const read = async (wanted: readonly string[], limit: number): Promise<readonly string[]> => {
    const positions: string[] = [];
    for (let after = 0n, head = 1n; after < head;) {
      const page = await store.readTape({ after, limit, types: wanted });
      expect(page.events.length).toBeLessThanOrEqual(limit);
      expect(page.position).toBeGreaterThan(after);
      positions.push(...page.events.map(({ position }) => String(position)));
      ({ position: after, head } = page);
    }
    return positions;
  };
  const preparedStatements = async (): Promise<readonly string[]> => {
    const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements');
    return rows.map(({ name }) => name);
  };

  it.each([
    [['Rare'], 20],
    [['Rarer', 'Rare'], 50],
    [['Rarer'], 3],
    [['Common', 'Rarer'], 700],
    [['Rare', 'Common', 'Rarer'], 2_000],
  ])('gets all events of %j once and in order, in pages of %d', async (wanted, limit) => {
    const { rows } = await database.pool.query<{ position: string }>(
      'select position from tape_events where type = any($1) order by position',
      [wanted],
    );
    expect(await read(wanted, limit)).toEqual(rows.map(({ position }) => position));
  });

  it('reads them by their index once they have turned out to be rare', async () => {
    await read(['Rare'], 20);
    expect(await preparedStatements()).toContain('tape_read_rare');
  });
});
