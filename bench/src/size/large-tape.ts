import type { Pool } from 'pg';

/** How many of the events have the type that is projected. */
export const ownEventsShare = 0.01;
export const ownType = 'SampleCounted';
export const otherType = 'SampleNoted';

const indexesSql = `
  alter table tape_events add primary key (position);
  alter table tape_events add unique (id);
  alter table tape_events add unique (stream, version);`;

const constraintsSql = `
  select conname as name from pg_constraint
  where conrelid = 'tape_events'::regclass and contype in ('p', 'u')`;

const otherIndexesSql = `
  select indexdef as definition, indexrelid::regclass::text as name
  from pg_index i join pg_indexes n on n.indexname = i.indexrelid::regclass::text
  where i.indrelid = 'tape_events'::regclass and not i.indisunique`;

/** $1 events, ten per stream, with time-ordered ids as the commands of requests give them. */
const eventsSql = `
  insert into tape_events (position, stream, version, id, type, schema_version, data, metadata, recorded_at)
  select nextval('tape_position'), 'sample-' || lpad((n / 10)::text, 12, '0'), 1 + n % 10,
    (lpad(to_hex(1700000000000 + n), 12, '0') || '8' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    case when n % 100 = 7 then '${ownType}' else '${otherType}' end, 1,
    json_build_object('urlId', 'S3LKflwr', 'title', 'Supertrend with a trailing stop and a filter by volume',
      'likes', n, 'symbol', 'BINANCE:BTCUSDT'),
    json_build_object('actorId', '018f4e3a-5b7c-7d21-9a3e-0123456789ab', 'actorKind', 'member',
      'occurredAt', '2026-11-21T12:00:00.000Z', 'correlationId', '018f4e3a-5b7c-7d21-9a3e-abcdef012345',
      'causationId', '018f4e3a-5b7c-7d21-9a3e-fedcba987654'),
    now()
  from generate_series(0, $1::bigint - 1) n`;

/** Fills an empty tape, with the same result as appends one by one; the indexes are built at the end. */
export const fillLargeTape = async (pool: Pool, events: number): Promise<void> => {
  const { rows: constraints } = await pool.query<{ name: string }>(constraintsSql);
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(otherIndexesSql);
  for (const { name } of constraints) await pool.query(`alter table tape_events drop constraint ${name}`);
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  await pool.query(eventsSql, [events]);
  await pool.query(`set maintenance_work_mem = '1GB'; ${indexesSql} reset maintenance_work_mem`);
  for (const { definition } of indexes) await pool.query(definition);
  await pool.query(
    `
    insert into tape_streams (stream, version)
    select 'sample-' || lpad(n::text, 12, '0'), 10 from generate_series(0, $1::bigint / 10 - 1) n`,
    [events],
  );
  await pool.query('vacuum analyze tape_events');
  await pool.query('vacuum analyze tape_streams');
};

/** The size of the tape and of each of its indexes in MB, by name. */
export const tapeSizes = async (pool: Pool): Promise<readonly Readonly<{ name: string; mb: number }>[]> => {
  const { rows } = await pool.query<{ name: string; mb: string }>(`
    select 'tape_events' as name, pg_relation_size('tape_events') / 1048576 as mb
    union all
    select indexrelid::regclass::text, pg_relation_size(indexrelid) / 1048576
    from pg_index where indrelid = 'tape_events'::regclass`);
  return rows.map(({ name, mb }) => ({ name, mb: Number(mb) }));
};
