import { expect } from '@jest/globals';
import type { ClientBase } from 'pg';
import { eventually } from './eventually.ts';

type Sql = Pick<ClientBase, 'query'>;

/** Appends events by SQL, so that the caller decides when its transaction ends. */
export const appendBySql = (client: Sql, stream: string, count = 1): Promise<unknown> =>
  client.query(
    `select tape_append(array[$1], array[-2], array[$2::int], array_agg(gen_random_uuid()), array_agg('Counted'::text),
       array_agg(1::smallint), array_agg('{}'::json), array_agg('{}'::json))
     from generate_series(1, $2::int)`,
    [stream, count],
  );

/** Waits until a store has read the open appends of the database so many times; the second time is after this call. */
export const untilOpenAppendsWereRead = async (client: Sql, database: string, times = 2): Promise<void> => {
  const readAt = async (): Promise<string> => {
    const { rows } = await client.query<{ at: string | null }>(
      `select max(query_start)::text as at from pg_stat_activity
       where datname = $1 and query like '%from tape_settling%' and pid <> pg_backend_pid()`,
      [database],
    );
    return rows[0]?.at ?? '';
  };
  const untilAfter = async (before: string): Promise<string> => {
    let at = before;
    await eventually(async () => {
      at = await readAt();
      expect(['', before]).not.toContain(at);
    });
    return at;
  };
  let at = await readAt();
  for (let n = 0; n < times; n++) at = await untilAfter(at);
};
