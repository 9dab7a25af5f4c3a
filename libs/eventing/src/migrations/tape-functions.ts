/** What the newer functions need, and those that read. */
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

revoke execute on function tape_server, tape_settling from public;
`;
