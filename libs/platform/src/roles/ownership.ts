import type pg from 'pg';
import { name, readModelSchema, type RoleNames } from './role-names.ts';

/** So that an administrator without all rights can act for both. */
export const joinRoles = async (admin: pg.Client, { owner, projector }: RoleNames): Promise<void> => {
  const { rows } = await admin.query<{ me: string; missing: boolean }>(
    `select current_user as me, not pg_has_role(current_user, role, 'member') as missing, role
     from unnest($1::text[]) role`,
    [[owner, projector]],
  );
  for (const [index, { me, missing }] of rows.entries())
    if (missing) await admin.query(`grant ${name(index === 0 ? owner : projector)} to ${name(me)}`);
};

/** Statements, computed by a query, that give every object to whom it belongs. Of an extension's objects there are none. */
const ownershipSql = `
  with objects as (
    select c.oid, n.nspname, c.relname, c.relowner,
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
      n.nspname = $3 or c.relkind = 'v' or (c.relkind = 'r' and c.relname ~ '_v[0-9]+(_[a-z]+)?$') as "isReadModel"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', $3) and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('e', 'a', 'i'))
  )
  select format('alter %s public.%I set schema %I', kind, relname, $3) as sql, 1 as step
    from objects where "isReadModel" and nspname = 'public'
  union all
  select format('alter %s %I.%I owner to %I', kind, case when "isReadModel" then $3 else nspname end, relname,
                case when "isReadModel" then $2 else $1 end), 2
    from objects where relowner <> (case when "isReadModel" then $2 else $1 end)::regrole
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, $1), 2
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.proowner <> $1::regrole
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select format('alter schema %I owner to %I', nspname, $1), 2 from pg_namespace
    where nspname in ('public', $3) and nspowner not in ($1::regrole, 'pg_database_owner'::regrole)
  union all
  select format('alter database %I owner to %I', datname, $1), 0 from pg_database
    where datname = current_database() and datdba <> $1::regrole
  order by step`;

/** A database that was used with one role for everything becomes one with a role for each process. */
export const giveOwnership = async (admin: pg.Client, { owner, projector }: RoleNames): Promise<void> => {
  await admin.query(`create schema if not exists ${readModelSchema} authorization ${name(owner)}`);
  await admin.query(`grant usage, create on schema ${readModelSchema} to ${name(projector)}`);
  const { rows } = await admin.query<{ sql: string }>(ownershipSql, [owner, projector, readModelSchema]);
  for (const { sql } of rows) await admin.query(sql);
};
