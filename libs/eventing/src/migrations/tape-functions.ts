import { outcomeOfAppend } from './tape.ts';

/** The functions through which the tape is appended to and read, in place of the first ones. */
export const tapeFunctionsSql = `
-- What a page costs to send; null for events that were written before.
alter table tape_events add column if not exists bytes integer;
-- When its last event was recorded.
alter table tape_streams add column if not exists recorded_at timestamptz;
update tape_streams s set recorded_at = (select max(e.recorded_at) from tape_events e where e.stream = s.stream);

drop function if exists tape_append(text[], integer[], integer[], uuid[], text[], smallint[], json[], json[]);
drop function if exists
  tape_append(text[], integer[], integer[], uuid[], text[], smallint[], json[], json[], timestamptz);
drop function if exists tape_settling();
drop function if exists tape_settling(bigint[]);
drop function if exists tape_server();

-- Executes many independent appends: each stream at most once, sorted by stream so that two calls cannot deadlock.
-- Holds the advisory lock 1952542821, shared, from before the first position until the transaction ends: the settled
-- mark waits for its holders (tape_settling).
-- p_expected: 0 = no stream, n = exactly n, -1 = exists, -2 = any. Returns one row per append:
-- a = appended, d = duplicate (the stream already has all the ids), c = conflict (version is the actual one).
-- p_bytes: for each event, what a page costs to send. After p_until the caller does not wait any more, and nothing is
-- written.
create function tape_append(
  p_streams text[], p_expected integer[], p_counts integer[],
  p_ids uuid[], p_types text[], p_schema_versions smallint[], p_data json[], p_metadata json[],
  p_bytes integer[] default null, p_until timestamptz default null
) returns table (outcome text, version integer, "position" bigint)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  v_stream text; v_expected integer; n integer; v_at timestamptz;
  o integer := 0; base integer; inserted integer; found_ids record;
begin
  if p_until < clock_timestamp() then
    raise exception 'the append came after the time until which its caller waits' using errcode = 'TAPE2';
  end if;
  -- Readers see only what survives a crash: the settled mark depends on it.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'local', true);
  end if;
  perform pg_advisory_xact_lock_shared(1952542821);
  for v_stream, v_expected, n in select * from unnest(p_streams, p_expected, p_counts) loop
    base := null;
    inserted := 0;
    if v_expected = 0 then
      insert into tape_streams (stream, version, recorded_at) values (v_stream, n, clock_timestamp())
        on conflict do nothing returning recorded_at into v_at;
      if found then base := 0; end if;
    elsif v_expected > 0 then
      update tape_streams s set version = s.version + n, recorded_at = greatest(s.recorded_at, clock_timestamp())
        where s.stream = v_stream and s.version = v_expected returning s.recorded_at into v_at;
      if found then base := v_expected; end if;
    elsif v_expected = -1 then
      update tape_streams s set version = s.version + n, recorded_at = greatest(s.recorded_at, clock_timestamp())
        where s.stream = v_stream returning s.version - n, s.recorded_at into base, v_at;
    else
      insert into tape_streams as s (stream, version, recorded_at) values (v_stream, n, clock_timestamp())
        on conflict (stream) do update
          set version = s.version + n, recorded_at = greatest(s.recorded_at, clock_timestamp())
        returning s.version - n, s.recorded_at into base, v_at;
    end if;

    if base is not null then
      if n = 1 then
        insert into tape_events
            (position, stream, version, id, type, schema_version, data, metadata, recorded_at, bytes)
          values (nextval('tape_position'), v_stream, base + 1, p_ids[o + 1], p_types[o + 1],
                  p_schema_versions[o + 1], p_data[o + 1], p_metadata[o + 1], v_at, p_bytes[o + 1])
          on conflict (id) do nothing;
      else
        insert into tape_events
            (position, stream, version, id, type, schema_version, data, metadata, recorded_at, bytes)
          select nextval('tape_position'), v_stream, base + k, p_ids[o + k], p_types[o + k],
                 p_schema_versions[o + k], p_data[o + k], p_metadata[o + k], v_at, p_bytes[o + k]
          from generate_series(1, n) k
          on conflict (id) do nothing;
      end if;
      get diagnostics inserted = row_count;
    end if;

${outcomeOfAppend}end $$;

-- The identity of the tape: another one after a promotion, for a restored server and for another database. The clock
-- is that for p_until of tape_append.
create function tape_server(out identity text, out clock_ms double precision)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if pg_is_in_recovery() then
    raise exception 'this server is a standby: the tape is on its primary' using errcode = '25006';
  end if;
  select concat_ws('/', c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid) into identity
    from pg_control_system() c, pg_database d where d.datname = current_database();
  clock_ms := extract(epoch from clock_timestamp()) * 1000;
end $$;

-- The order matters: first the last position handed out, then the transactions that may still write at or before it,
-- then, by a later snapshot, the events that those have written which have ended.
-- Never read last_value from the sequence's row: that takes no lock on the row and can show a position that is too high.
-- last_events: for each of p_positions, for last_position and for the end of the tape, the last event at or before it.
create function tape_settling(
  p_positions bigint[] default '{}', out last_position bigint, out writers text[], out last_events bigint[]
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if pg_is_in_recovery() then
    raise exception 'this server is a standby: the tape is read on its primary' using errcode = '25006';
  end if;
  last_position := coalesce(pg_sequence_last_value('tape_position'), 0);
  select coalesce(array_agg(l.virtualtransaction), '{}') into writers
    from pg_locks l
    where l.locktype = 'advisory' and l.classid = 0 and l.objid = 1952542821 and l.objsubid = 1
      and l.database = (select d.oid from pg_database d where d.datname = current_database());
  select array_agg(coalesce((
      select e.position from tape_events e where e.position <= p.upto order by e.position desc limit 1
    ), 0) order by p.n) into last_events
    from unnest(p_positions || last_position || 9223372036854775807) with ordinality p (upto, n);
end $$;

revoke execute on function tape_append, tape_server, tape_settling from public;
`;
