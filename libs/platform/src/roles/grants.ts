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
