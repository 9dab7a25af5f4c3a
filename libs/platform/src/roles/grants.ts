import type pg from 'pg';
import { name, readModelSchema, type RoleNames } from './role-names.ts';

/** What the roles of the processes may do with one object; what is not granted is refused. */
export type Grant = Readonly<{
  /** The name of the database that contains it. */
  database: string;
  /** Such as `table sessions` or `function tape_append`. */
  on: string;
  /** The privileges of each role as GRANT writes them, such as `select, update (seen_at)`. */
  api?: string;
  projector?: string;
}>;

/** Who has no use of a language can define no function in it, in whatever schema. */
export const closeLanguages = async (admin: pg.Client, { owner }: RoleNames): Promise<void> => {
  const { rows } = await admin.query<{ super: boolean }>(
    'select rolsuper as super from pg_roles where rolname = current_user',
  );
  if (!rows[0]?.super) return;
  await admin.query('revoke usage on language sql, plpgsql from public');
  await admin.query(`grant usage on language sql, plpgsql to ${name(owner)}`);
};

/** What a statement of the SQL console could do beyond its rows: sleep, lock, notify, change settings, read by text. */
const closedFunctions = `
  select oid::regprocedure::text as signature from pg_proc
  where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f'
    and has_function_privilege('public', oid, 'execute')
    and (proname ~ '^(pg_sleep|pg_advisory|pg_try_advisory|lo_|pg_logical_emit|pg_export_snapshot|ts_stat)'
      or proname ~ '_to_xml'
      or proname in ('set_config', 'pg_notify', 'loread', 'lowrite', 'nextval', 'setval',
                     'pg_cancel_backend', 'pg_terminate_backend'))`;

/** In the database of the SQL console, those that everybody may call are left to the roles that use them. Only a superuser can do that. */
export const closeFunctions = async (
  admin: pg.Client,
  { owner, api, projector }: RoleNames,
): Promise<void> => {
  const { rows } = await admin.query<{ super: boolean }>(
    'select rolsuper as super from pg_roles where rolname = current_user',
  );
  if (!rows[0]?.super) return;
  const { rows: functions } = await admin.query<{ signature: string }>(closedFunctions);
  if (functions.length === 0) return;
  const all = functions.map(({ signature }) => signature).join(', ');
  await admin.query(`revoke execute on function ${all} from public`);
  await admin.query(`grant execute on function ${all} to ${[owner, api, projector].map(name).join(', ')}`);
};

/** The projector grants the console its views whenever it creates them; here for those that are there already. */
export const grantToConsole = async (admin: pg.Client, roles: RoleNames): Promise<void> => {
  const { rows } = await admin.query<{ database: string; exists: boolean }>(
    `select current_database() as database,
            to_regprocedure('public.grant_catalogue_to_console()') is not null as exists`,
  );
  const [found] = rows;
  const [, writer] = roles.console;
  if (!found?.exists || writer === undefined) return;
  const both = roles.console.map(name).join(', ');
  await admin.query('begin');
  await admin.query(`set local role ${name(roles.owner)}`);
  await admin.query(`grant connect on database ${name(found.database)} to ${both}`);
  await admin.query(`grant usage on schema ${readModelSchema} to ${both}`);
  await admin.query(`grant usage on schema public to ${name(writer)}`);
  await admin.query(`grant select on table public.captured_changes to ${name(writer)}`);
  await admin.query(`set local role ${name(roles.projector)}`);
  await admin.query('select public.grant_catalogue_to_console()');
  await admin.query('commit');
};

const readModelGrants = ({ api, projector }: RoleNames): readonly string[] => {
  const tables = `select on tables to ${name(api)}`;
  return [
    `alter default privileges for role ${name(projector)} in schema ${readModelSchema} grant ${tables}`,
    `grant select on all tables in schema ${readModelSchema} to ${name(api)}`,
  ];
};

const objectGrants = (roles: RoleNames, grants: readonly Grant[], database: string): readonly string[] => {
  const [api, projector] = [name(roles.api), name(roles.projector)];
  const everybody = `public, ${api}, ${projector}`;
  const all = ['tables', 'sequences', 'routines'].map(
    (kind) => `revoke all on all ${kind} in schema public from ${everybody}`,
  );
  const granted = grants.flatMap(({ on, ...privileges }) =>
    (['api', 'projector'] as const).flatMap((kind) =>
      privileges[kind] === undefined ? [] : [`grant ${privileges[kind]} on ${on} to ${name(roles[kind])}`],
    ),
  );
  return [
    `revoke all on database ${name(database)} from ${everybody}`,
    `grant connect on database ${name(database)} to ${api}, ${projector}`,
    // For people: each process sets its own.
    `alter database ${name(database)} set search_path = public, ${readModelSchema}`,
    `revoke all on schema public, ${readModelSchema} from ${everybody}`,
    `grant usage on schema public, ${readModelSchema} to ${api}, ${projector}`,
    `grant create on schema ${readModelSchema} to ${projector}`,
    `alter default privileges revoke execute on routines from public`,
    ...all,
    `grant select on table migrations to ${api}, ${projector}`,
    ...granted,
  ];
};

/** All at once, so that no process finds a privilege missing meanwhile. */
export const applyGrants = async (
  admin: pg.Client,
  roles: RoleNames,
  grants: readonly Grant[],
): Promise<void> => {
  const { rows } = await admin.query<{ name: string }>('select current_database() as name');
  await admin.query('begin');
  for (const sql of readModelGrants(roles)) await admin.query(sql);
  await admin.query(`set local role ${name(roles.owner)}`);
  await admin.query('set local search_path = public');
  for (const sql of objectGrants(roles, grants, rows[0]?.name ?? '')) await admin.query(sql);
  await admin.query('commit');
};
