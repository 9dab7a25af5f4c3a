import { DomainError } from '@tapedeck/kernel';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabases } from './databases.ts';
import { migrate, type Migration } from './migrations.ts';

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

/** The schema of the read models: their tables belong to the projector, everything else to the owner. */
export const readModelSchema = 'read_models';

type RoleNames = Readonly<Record<'owner' | 'api' | 'projector', string>>;

export type RoleOptions<Name extends string> = Readonly<{
  /** Each for a role that may create roles and owns the database, or for the owner itself. */
  urls: Readonly<Record<Name, string>>;
  migrations: readonly Migration[];
  grants: readonly Grant[];
  /** The roles are called `tapedeck_owner` and so on. */
  prefix: string;
  /** Without one, the role must exist. */
  passwords: Readonly<Partial<Record<'api' | 'projector', string>>>;
  /** Whether nobody else uses the server, so that its other databases can be closed. */
  ownsServer: boolean;
  onError: (error: Error) => void;
}>;

const lockKey = 7_770_003;
const { escapeIdentifier: name, escapeLiteral: literal } = pg;

/** What the server stores of a password: so the password itself is in no statement and no log. */
const verifierOf = (password: string): string => {
  const [salt, rounds] = [randomBytes(16), 4_096];
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256');
  const keyOf = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
};

const missingRole = (role: string): DomainError =>
  new DomainError(
    'invalid',
    'DATABASE_ROLE_MISSING',
    `The role ${role} does not exist: create it, or set API_DATABASE_PASSWORD and PROJECTOR_DATABASE_PASSWORD so that it is created.`,
  );

const createRoles = async (
  admin: pg.Client,
  roles: RoleNames,
  passwords: RoleOptions<string>['passwords'],
): Promise<void> => {
  const { rows } = await admin.query<{ rolname: string }>('select rolname from pg_roles');
  const existing = new Set(rows.map(({ rolname }) => rolname));
  if (!existing.has(roles.owner)) await admin.query(`create role ${name(roles.owner)} nologin`);
  for (const kind of ['api', 'projector'] as const) {
    const [role, password] = [roles[kind], passwords[kind]];
    if (password === undefined && !existing.has(role)) throw missingRole(role);
    if (password === undefined) continue;
    const verb = existing.has(role) ? 'alter' : 'create';
    await admin.query(`${verb} role ${name(role)} login noinherit password ${literal(verifierOf(password))}`);
  }
};

/** @throws DomainError DATABASE_ROLE_TOO_STRONG when a process would have more rights than are granted here. */
const assertWeak = async (admin: pg.Client, roles: RoleNames): Promise<void> => {
  const { rows } = await admin.query<{ rolname: string }>(
    `select rolname from pg_roles r
     where rolname = any($1) and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
       or exists (select from pg_auth_members m where m.member = r.oid))`,
    [[roles.api, roles.projector]],
  );
  const [strong] = rows;
  if (!strong) return;
  throw new DomainError(
    'invalid',
    'DATABASE_ROLE_TOO_STRONG',
    `The role ${strong.rolname} has attributes or memberships that give it further rights: remove them, or name other roles with DATABASE_ROLE_PREFIX.`,
  );
};

/** So that an administrator without all rights can act for both. */
const joinRoles = async (admin: pg.Client, { owner, projector }: RoleNames): Promise<void> => {
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
const giveOwnership = async (admin: pg.Client, { owner, projector }: RoleNames): Promise<void> => {
  await admin.query(`create schema if not exists ${readModelSchema} authorization ${name(owner)}`);
  await admin.query(`grant usage, create on schema ${readModelSchema} to ${name(projector)}`);
  const { rows } = await admin.query<{ sql: string }>(ownershipSql, [owner, projector, readModelSchema]);
  for (const { sql } of rows) await admin.query(sql);
};

/** Who has no use of a language can define no function in it, in whatever schema. */
const closeLanguages = async (admin: pg.Client, { owner }: RoleNames): Promise<void> => {
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
const applyGrants = async (admin: pg.Client, roles: RoleNames, grants: readonly Grant[]): Promise<void> => {
  const { rows } = await admin.query<{ name: string }>('select current_database() as name');
  await admin.query('begin');
  for (const sql of readModelGrants(roles)) await admin.query(sql);
  await admin.query(`set local role ${name(roles.owner)}`);
  await admin.query('set local search_path = public');
  for (const sql of objectGrants(roles, grants, rows[0]?.name ?? '')) await admin.query(sql);
  await admin.query('commit');
};

const migrateAs = async (
  owner: string,
  database: string,
  url: string,
  { migrations, onError }: RoleOptions<string>,
): Promise<void> => {
  const { pools, close } = await openDatabases({
    urls: { [database]: url },
    application: 'tapedeck migrate',
    onError,
    startOptions: `-c role=${owner} -c search_path=public`,
  });
  try {
    await migrate(
      pools,
      migrations.filter((migration) => migration.database === database),
    );
  } finally {
    await close();
  }
};

const withClient = async (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tapedeck migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Creates the roles, gives each object its owner, runs the migrations as the owner and grants the processes what they
 * need. Everything else is refused to them. It may be repeated at any time.
 *
 * @throws DomainError DATABASE_ROLE_MISSING, DATABASE_ROLE_TOO_STRONG: one sentence that says what to do.
 */
export const migrateWithRoles = async <Name extends string>(options: RoleOptions<Name>): Promise<void> => {
  const { prefix, grants, passwords, ownsServer } = options;
  const roles = { owner: `${prefix}_owner`, api: `${prefix}_api`, projector: `${prefix}_projector` };
  const urls = Object.entries<string>(options.urls);
  const [first] = urls;
  if (!first) return;
  await withClient(first[1], async (client) => {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    for (const [database, url] of urls)
      await withClient(url, async (admin) => {
        await createRoles(admin, roles, passwords);
        await assertWeak(admin, roles);
        await joinRoles(admin, roles);
        if (ownsServer) await admin.query('revoke all on database postgres, template1 from public');
        await closeLanguages(admin, roles);
        await giveOwnership(admin, roles);
        await migrateAs(roles.owner, database, url, options);
        await applyGrants(
          admin,
          roles,
          grants.filter((grant) => grant.database === database),
        );
      });
  });
};
