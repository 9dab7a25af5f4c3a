/**
 * The roles of accounts that have or had any, as the account's stream says; every request reads them. A session counts
 * only while `roles_version` is the version of its account's row (0 without one), so that a change of roles ends it.
 */
export const rolesSql = `
create table account_roles (
  account_id uuid    primary key,
  roles      text[]  not null,
  version    integer not null
);

delete from sessions;
alter table sessions
  drop column roles,
  add column roles_version integer not null default 0,
  add column public_id uuid not null default gen_random_uuid(),
  add column browser text;
`;
