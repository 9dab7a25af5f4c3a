import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Open } from 'unzipper';

const rowsPerStatement = 128;

/** What a script would do: unpacks the archive, parses each file and inserts it, with neither checks nor history. */
export const importPlainly = async (pool: Pool, archive: Buffer): Promise<number> => {
  await pool.query('create table plain_strategies (url_id text primary key, record jsonb not null)');
  const { files } = await Open.buffer(archive);
  for (let at = 0; at < files.length; at += rowsPerStatement) {
    const records: unknown[] = [];
    for (const file of files.slice(at, at + rowsPerStatement)) {
      records.push(JSON.parse((await file.buffer()).toString()));
    }
    await pool.query(
      `insert into plain_strategies select r->>'url_id', r from jsonb_array_elements($1::jsonb) r
       on conflict (url_id) do update set record = excluded.record`,
      [JSON.stringify(records)],
    );
    await setImmediate();
  }
  const { rows } = await pool.query<{ count: string }>('select count(*) from plain_strategies');
  return Number(rows[0]?.count);
};
