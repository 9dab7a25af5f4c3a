/**
 * Ends the query with this id and no other: it is found by its name, not by the number of its process, which another one
 * may have by now. Its owner is a member of the console's roles; the API is not.
 */
export const endQuerySql = `
create function console_end_query(query uuid, hard boolean) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(bool_or(case when hard then pg_terminate_backend(pid) else pg_cancel_backend(pid) end), false)
  from pg_stat_activity
  where application_name = 'console:' || query and usename ~ '_console_r[ow]$' and datname = current_database()
$$`;

/** `query` alone is the column of the view, which no other role may read. */
export const endNamedQuerySql = endQuerySql
  .replace('create function', 'create or replace function')
  .replace(`'console:' || query`, `'console:' || console_end_query.query`);
