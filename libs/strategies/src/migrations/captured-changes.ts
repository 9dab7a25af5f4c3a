/**
 * What a statement of the SQL console would change. A trigger of the view `strategies` writes it instead of changing the
 * rows, which belong to the projection; the transaction is always rolled back, so nobody sees rows of another one.
 */
export const capturedChangesSql = `
create table captured_changes (
  id bigint generated always as identity primary key,
  op text not null,
  url_id text not null,
  changed jsonb not null
);

create function assert_storable(name text, definition text, value jsonb) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if definition is null then
    raise exception 'The column % is computed from other columns: change those.', name using errcode = '22023';
  elsif value = 'null' then
    if definition like '%not null' then
      raise exception 'The column % must have a value.', name using errcode = '23502';
    end if;
  elsif definition like 'bigint%' and abs((value #>> '{}')::numeric) > 9007199254740991 then
    raise exception 'The number in % is too large.', name using errcode = '22003';
  elsif definition like 'date%' and value #>> '{}' !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
    raise exception 'The date in % must be between the years 1 and 9999.', name using errcode = '22008';
  elsif definition like 'text[]%' and jsonb_path_exists(value, '$[*] ? (@.type() != "string")') then
    raise exception 'The list in % must contain texts only.', name using errcode = '22023';
  elsif definition like 'jsonb%' and jsonb_typeof(value) <> 'array' then
    raise exception 'The value of % must be a list.', name using errcode = '22023';
  elsif name = 'title' and btrim(value #>> '{}') = '' then
    raise exception 'A strategy must have a title.' using errcode = '22023';
  elsif name = 'url_id' and value #>> '{}' !~ '^[A-Za-z0-9]{8}$' then
    raise exception 'A strategy id must be exactly 8 letters or digits.' using errcode = '22023';
  end if;
end $$;

create function capture_strategy_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  definitions jsonb := tg_argv[0]::jsonb;
  before jsonb := coalesce(to_jsonb(old), '{}');
  after jsonb := to_jsonb(new);
  changed jsonb;
begin
  if tg_op = 'DELETE' then
    insert into public.captured_changes (op, url_id, changed) values ('delete', old.url_id, '{}');
    return old;
  end if;
  select coalesce(jsonb_object_agg(key, value), '{}') into changed
    from jsonb_each(after) where value is distinct from coalesce(before -> key, 'null');
  if tg_op = 'UPDATE' and changed ? 'url_id' then
    raise exception 'A strategy keeps its url_id: insert another one instead.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and not (changed ? 'url_id' and changed ? 'title') then
    raise exception 'A new strategy needs a url_id and a title.' using errcode = '23502';
  end if;
  perform public.assert_storable(key, definitions ->> key, value) from jsonb_each(changed);
  insert into public.captured_changes (op, url_id, changed) values (lower(tg_op), new.url_id, changed);
  return new;
end $$;

create function grant_catalogue_to_console() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reader name := replace(current_user, '_projector', '_console_ro');
  writer name := replace(current_user, '_projector', '_console_rw');
begin
  if to_regclass('read_models.strategies') is null or current_user !~ '_projector$'
     or to_regrole(quote_ident(reader)) is null or to_regrole(quote_ident(writer)) is null then return; end if;
  execute format('grant select on read_models.strategies, read_models.strategies_parsed_simple,
                  read_models.strategy_indicators to %I, %I', reader, writer);
  execute format('grant insert, update, delete on read_models.strategies to %I', writer);
end $$;
`;
