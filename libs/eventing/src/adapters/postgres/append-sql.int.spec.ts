import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import type { EventStore } from '../../event-store.ts';
import { appendBySql } from '../../testing/open-appends.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

describe('tape_append', () => {
  let database: TestDatabase;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ pool: database.pool, types: { Counted: { version: 1 } } });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const timesOf = async (stream: string): Promise<readonly string[]> =>
    (await store.readStream(stream)).map(({ recordedAt }) => recordedAt);

  it('records times that do not decrease within a stream, whichever transaction began first', async () => {
    const stream = `times-${newId()}`;
    const early = await database.pool.connect();
    await early.query('begin');
    await early.query('select now()');
    await store.append(stream, 'NO_STREAM', [sampleEvent('Counted')]);
    await appendBySql(early, stream);
    await early.query('commit');
    early.release();
    const { rows } = await database.pool.query<{ increasing: boolean }>(
      `select (select recorded_at from tape_events where stream = $1 and version = 1)
        < (select recorded_at from tape_events where stream = $1 and version = 2) as increasing`,
      [stream],
    );
    expect(rows).toEqual([{ increasing: true }]);
  });

  it.each(['EXISTS', 'ANY', 1] as const)(
    'records no earlier time than that of the event before, also when the clock was set back (%s)',
    async (expected) => {
      const stream = `times-${newId()}`;
      await store.append(stream, 'NO_STREAM', [sampleEvent('Counted')]);
      await database.pool.query(
        `update tape_streams set recorded_at = recorded_at + interval '1 hour' where stream = $1`,
        [stream],
      );
      await store.append(stream, expected, [sampleEvent('Counted'), sampleEvent('Counted')]);
      const [first = '', second = '', third] = await timesOf(stream);
      expect(Date.parse(second) - Date.parse(first)).toBe(3_600_000);
      expect(third).toBe(second);
    },
  );

  it('writes nothing after the time until which its caller waits', async () => {
    const append = (until: string): Promise<unknown> =>
      database.pool.query(
        `select tape_append(array['late'], array[-2], array[1], array[gen_random_uuid()], array['Counted'],
           array[1::smallint], array['{}'::json], array['{}'::json], null, clock_timestamp() + interval '${until}')`,
      );
    await expect(append('-1 second')).rejects.toMatchObject({ code: 'TAPE2' });
    expect(await store.readStream('late')).toEqual([]);
    await append('10 seconds');
    expect(await store.readStream('late')).toHaveLength(1);
  });

  it('stores how many bytes an event has', async () => {
    const stream = `bytes-${newId()}`;
    const texts = ['', 'x'.repeat(10_000), 'ü'.repeat(10_000)];
    for (const text of texts) await store.append(stream, 'ANY', [sampleEvent('Counted', { text })]);
    const { rows } = await database.pool.query<{ difference: number }>(
      `select bytes - octet_length(data::text) - octet_length(metadata::text) as difference
       from tape_events where stream = $1`,
      [stream],
    );
    expect(rows).toHaveLength(texts.length);
    for (const { difference } of rows) expect(difference).toBe(0);
  });
});
