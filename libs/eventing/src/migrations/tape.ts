/** The events, the versions of their streams, and the functions that append events and find the settled mark. */
export const tapeSql = `
create sequence tape_position as bigint cache 1;

create table tape_streams (
  stream  text    primary key,
  version integer not null
) with (fillfactor = 80);

create table tape_events (
  position       bigint      primary key,
  stream         text        not null,
  version        integer     not null,
  id             uuid        not null unique,
  type           text        not null,
  schema_version smallint    not null,
  data           json        not null,
  metadata       json        not null,
  recorded_at    timestamptz not null default now(),
  unique (stream, version)
);

create function tape_is_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'the tape is immutable: % on tape_events is not allowed', tg_op using errcode = '42501';
end $$;

create trigger tape_is_immutable before update or delete or truncate on tape_events
  for each statement execute function tape_is_immutable();
alter table tape_events enable always trigger tape_is_immutable;

-- Executes many independent appends: each stream at most once, sorted by stream so that two calls cannot deadlock.
-- Holds the advisory lock 1952542821, shared, from before the first position until the transaction ends: the settled
-- mark waits for its holders (tape_settling).
-- p_expected: 0 = no stream, n = exactly n, -1 = exists, -2 = any. Returns one row per append:
-- a = appended, d = duplicate (the stream already has all the ids), c = conflict (version is the actual one).
create function tape_append(
  p_streams text[], p_expected integer[], p_counts integer[],
  p_ids uuid[], p_types text[], p_schema_versions smallint[], p_data json[], p_metadata json[]
) returns table (outcome text, version integer, "position" bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_stream text; v_expected integer; n integer;
  o integer := 0; base integer; inserted integer; found_ids record;
begin
  perform pg_advisory_xact_lock_shared(1952542821);
  for v_stream, v_expected, n in select * from unnest(p_streams, p_expected, p_counts) loop
    base := null;
    inserted := 0;
    if v_expected = 0 then
      insert into tape_streams values (v_stream, n) on conflict do nothing;
      if found then base := 0; end if;
    elsif v_expected > 0 then
      update tape_streams s set version = s.version + n where s.stream = v_stream and s.version = v_expected;
      if found then base := v_expected; end if;
    elsif v_expected = -1 then
      update tape_streams s set version = s.version + n where s.stream = v_stream returning s.version - n into base;
    else
      insert into tape_streams as s values (v_stream, n)
        on conflict (stream) do update set version = s.version + n returning s.version - n into base;
    end if;

    if base is not null then
      if n = 1 then
        insert into tape_events (position, stream, version, id, type, schema_version, data, metadata)
          values (nextval('tape_position'), v_stream, base + 1, p_ids[o + 1], p_types[o + 1],
                  p_schema_versions[o + 1], p_data[o + 1], p_metadata[o + 1])
          on conflict (id) do nothing;
      else
        insert into tape_events (position, stream, version, id, type, schema_version, data, metadata)
          select nextval('tape_position'), v_stream, base + k, p_ids[o + k], p_types[o + k],
                 p_schema_versions[o + k], p_data[o + k], p_metadata[o + k]
          from generate_series(1, n) k
          on conflict (id) do nothing;
      end if;
      get diagnostics inserted = row_count;
    end if;

    if inserted = n then
      outcome := 'a'; version := base + n; position := currval('tape_position');
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

-- The order matters: first the last position handed out, then the transactions that may still write at or before it.
-- Never read last_value from the sequence's row: that takes no lock on the row and can show a position that is too high.
create function tape_settling(out last_position bigint, out writers text[]) language plpgsql as $$
begin
  last_position := coalesce(pg_sequence_last_value('tape_position'), 0);
  select coalesce(array_agg(l.virtualtransaction), '{}') into writers
    from pg_locks l
    where l.locktype = 'advisory' and l.classid = 0 and l.objid = 1952542821 and l.objsubid = 1
      and l.database = (select d.oid from pg_database d where d.datname = current_database());
end $$;
`;

/** One key per account. A forgotten account keeps its row, without the key, so that no new key is created for it. */
export const personalDataKeysSql = `
create table personal_data_keys (
  subject      text        primary key,
  key_id       uuid        not null,
  wrapped      bytea,
  created_at   timestamptz not null default now(),
  forgotten_at timestamptz,
  check ((wrapped is null) = (forgotten_at is not null))
);
`;

/**
 * The accounts that ever had a key, so that none gets a second one. Part of the tape, and restored with it; an index over
 * the events would slow down every append.
 */
export const personalSubjectsSql = `
drop index if exists tape_events_personal_subject;

create table tape_personal_subjects (subject text primary key);

insert into tape_personal_subjects
  select subject from personal_data_keys
  union
  select metadata ->> 'personalSubject' from tape_events where metadata ->> 'personalSubject' is not null;

create function tape_personal_subjects_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception '% on tape_personal_subjects is not allowed: it belongs to the tape', tg_op using errcode = '42501';
end $$;

create trigger tape_personal_subjects_are_immutable before update or delete or truncate on tape_personal_subjects
  for each statement execute function tape_personal_subjects_are_immutable();
alter table tape_personal_subjects enable always trigger tape_personal_subjects_are_immutable;
`;

/** So that a read model is built in a time that depends on its own events, not on the size of the tape. */
export const eventTypesIndexSql = `
create index tape_events_type on tape_events (type, position);
`;
