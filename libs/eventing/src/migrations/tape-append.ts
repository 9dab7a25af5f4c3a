/** The function that appends to the tape, in place of earlier ones. */
export const tapeAppendSql = `
-- Executes many independent appends: each stream at most once, sorted by stream so that two calls cannot deadlock.
-- Holds the advisory lock 1952542821, shared, from before the first position until the transaction ends: the settled
-- mark waits for its holders (tape_settling).
-- p_expected: 0 = no stream, n = exactly n, -1 = exists, -2 = any. Returns one row per append:
-- a = appended, d = duplicate (the stream already has all the ids), c = conflict (version is the actual one).
-- p_bytes: for each event, what a page costs to send. After p_until the caller does not wait any more, and nothing is
-- written.
create or replace function tape_append(
  p_streams text[], p_expected integer[], p_counts integer[],
  p_ids uuid[], p_types text[], p_schema_versions smallint[], p_data json[], p_metadata json[],
  p_bytes integer[] default null, p_until timestamptz default null
) returns table (outcome text, version integer, "position" bigint)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  v_stream text; v_expected integer; n integer; v_at timestamptz; v_position bigint;
  o integer := 0; base integer; inserted integer; found_ids record;
  -- One event each, at a version that is known: then two statements write all of them. Fewer than eight are quicker
  -- one by one.
  v_in_sets boolean := cardinality(p_streams) >= 8 and 1 = all (p_counts) and 0 <= all (p_expected) and 2147483647 > all (p_expected);
  v_written text[]; v_times timestamptz[]; v_added text[]; v_positions bigint[]; v_rows integer;
begin
  -- One expression, because each costs an append of its own some time.
  if p_until < clock_timestamp() or current_setting('synchronous_commit') = 'off' then
    if p_until < clock_timestamp() then
      raise exception 'the append came after the time until which its caller waits' using errcode = 'TAPE2';
    end if;
    -- Readers see only what survives a crash: the settled mark depends on it.
    perform set_config('synchronous_commit', 'local', true);
  end if;
  perform pg_advisory_xact_lock_shared(1952542821);

  if v_in_sets then
    -- A stream that should exist and does not is inserted without a time, and removed again.
    with written as (
      insert into tape_streams as s (stream, version, recorded_at)
        select i.stream, i.expected + 1, case when i.expected = 0 then clock_timestamp() end
          from unnest(p_streams, p_expected) i (stream, expected)
        on conflict (stream) do update
          set version = excluded.version, recorded_at = greatest(s.recorded_at, clock_timestamp())
          where s.version = excluded.version - 1
        returning s.stream, s.recorded_at
    )
    select array_agg(w.stream) filter (where w.recorded_at is not null),
           array_agg(w.recorded_at) filter (where w.recorded_at is not null),
           count(*)
      into v_written, v_times, v_rows from written w;
    if v_rows > coalesce(cardinality(v_written), 0) then
      delete from tape_streams s where s.stream = any (p_streams) and s.recorded_at is null;
    end if;

    with added as (
      insert into tape_events
          (position, stream, version, id, type, schema_version, data, metadata, recorded_at, bytes)
        select nextval('tape_position'), i.stream, i.expected + 1, i.id, i.type,
               i.schema_version, i.data, i.metadata, w.recorded_at, i.bytes
          from unnest(p_streams, p_expected, p_ids, p_types, p_schema_versions, p_data, p_metadata, p_bytes)
                 i (stream, expected, id, type, schema_version, data, metadata, bytes)
          join unnest(v_written, v_times) w (stream, recorded_at) on w.stream = i.stream
        on conflict (id) do nothing
        returning stream, position
    )
    select array_agg(a.stream), array_agg(a.position) into v_added, v_positions from added a;
    if v_added = p_streams then
      return query select 'a', u.expected + 1, u.position from unnest(p_expected, v_positions) u (expected, position);
      return;
    end if;
  end if;

  for i in 1 .. cardinality(p_streams) loop
    v_stream := p_streams[i];
    v_expected := p_expected[i];
    n := p_counts[i];
    base := null;
    inserted := 0;
    if v_in_sets then
      if v_stream = any (v_written) then base := v_expected; end if;
      v_position := v_positions[array_position(v_added, v_stream)];
      if v_position is not null then inserted := 1; end if;
    elsif v_expected = 0 then
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

    if base is not null and not v_in_sets then
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
      v_position := currval('tape_position');
    end if;

    if inserted = n then
      outcome := 'a'; version := base + n; position := v_position;
    else
      select count(*) as all_of_them, count(*) filter (where e.stream = v_stream) as here,
             max(e.version) as version, max(e.position) as position
        into found_ids from tape_events e where e.id = any (p_ids[o + 1 : o + n]);
      if inserted > 0 or found_ids.all_of_them <> found_ids.here or found_ids.here not in (0, n) then
        raise exception 'an event id belongs to another append' using errcode = 'TAPE1';
      end if;
      -- Nothing was inserted, so restore the stream's version; its row is locked until the transaction ends.
      if base = 0 then delete from tape_streams s where s.stream = v_stream;
      elsif base is not null then update tape_streams s set version = base where s.stream = v_stream;
      end if;
      if found_ids.here = n then
        outcome := 'd'; version := found_ids.version; position := found_ids.position;
      else
        outcome := 'c'; position := null;
        version := coalesce((select s.version from tape_streams s where s.stream = v_stream), 0);
      end if;
    end if;
    o := o + n;
    return next;
  end loop;
end $$;

revoke execute on function tape_append from public;
`;
