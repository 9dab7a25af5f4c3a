import type { Pool } from 'pg';

/**
 * $1 events about $2 favourites, 20 favourites per account. Event n is about the favourite `key`, in round `round`:
 * each favourite is added, changed and removed again and again, and successive events are about different favourites.
 * The tags are encrypted on the tape and are projected as they are, without the key: random bytes take their place.
 */
const eventsSql = `
  with numbered as (
    select n, n * 7919 % $2::bigint as key, n / $2::bigint as round from generate_series(0, $1::bigint - 1) n
  ), owned as (
    select n, round, round % (2 + key % 10) as step, 1 + key % 10 as last_step,
      lpad(to_hex(key / 20), 32, '0')::uuid as account, 'st' || lpad(key::text, 6, '0') as url_id
    from numbered
  )
  insert into tape_events (position, stream, version, id, type, schema_version, data, metadata, bytes)
  select nextval('tape_position'), stream, version, gen_random_uuid(), type, 1, data, metadata,
    pg_column_size(data) + pg_column_size(metadata)
  from (select n, 'favourites-' || account as stream, row_number() over (partition by account order by n) as version,
    case step when 0 then 'FavouriteAdded' when last_step then 'FavouriteRemoved' else 'FavouriteTagsChanged' end as type,
    case when step = 0 or step <> last_step
      then json_build_object('accountId', account, 'urlId', url_id, 'revision', round + 1,
        'tags', encode(sha256(n::text::bytea) || substr(sha256(account::text::bytea), 1, 15), 'base64'))
      else json_build_object('accountId', account, 'urlId', url_id, 'revision', round + 1) end as data,
    case when step = 0 or step <> last_step
      then json_build_object('actorId', account, 'actorKind', 'member', 'occurredAt', '2026-11-21T12:00:00.000Z',
        'correlationId', account, 'causationId', account,
        'personalFields', 'tags', 'personalSubject', account, 'personalKey', account)
      else json_build_object('actorId', account, 'actorKind', 'member', 'occurredAt', '2026-11-21T12:00:00.000Z',
        'correlationId', account, 'causationId', account) end as metadata
    from owned) events order by n`;

const favouritesPerEvent = 0.045;

/** Fills an empty tape by one statement, with the same result as appends one by one. */
export const fillTape = async (pool: Pool, events: number): Promise<void> => {
  await pool.query(eventsSql, [events, Math.ceil(events * favouritesPerEvent)]);
  await pool.query(
    'insert into tape_streams (stream, version) select stream, max(version) from tape_events group by stream',
  );
  await pool.query('vacuum analyze tape_events');
};

const expectedSql = `
  select (data->>'accountId')::uuid as account_id, data->>'urlId' as url_id,
    concat_ws('.', metadata->>'personalSubject', metadata->>'personalKey', id, 'tags', data->>'tags') as tags,
    (data->>'revision')::int as revision
  from (select distinct on (data->>'accountId', data->>'urlId') id, type, data, metadata from tape_events
        order by data->>'accountId', data->>'urlId', position desc) latest
  where type <> 'FavouriteRemoved'`;

/** Counts the rows of a table, and those that differ from the last event of their favourite. */
export const compareWithTape = async (
  pool: Pool,
  table: string,
): Promise<Readonly<{ rows: number; wrong: number }>> => {
  const actual = `select account_id, url_id, tags, revision from ${table}`;
  const { rows } = await pool.query<{ rows: string; wrong: string }>(`
    with expected as (${expectedSql}), actual as (${actual})
    select (select count(*) from actual) as rows,
      (select count(*) from (select * from expected except select * from actual) missing_rows)
      + (select count(*) from (select * from actual except select * from expected) surplus_rows) as wrong`);
  return { rows: Number(rows[0]?.rows), wrong: Number(rows[0]?.wrong) };
};
