import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import {
  decidedPrivileges,
  isReadModel,
  privilegesOf,
  startRoleServer,
  type RoleServer,
} from './role-server.ts';

const databases = ['tapedeck', 'catalogue'] as const;
const users = ['api', 'projector'] as const;
type User = (typeof users)[number];

let server: RoleServer;
beforeAll(async () => {
  server = await startRoleServer();
  await server.create(...databases);
  await server.migrate();
});
afterAll(() => server.dispose());

/** Executes the statement and takes it back; the SQLSTATE with which it was refused, or `allowed`. */
const attempt = async (pool: pg.Pool, sql: string): Promise<string> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return await client.query(sql).then(
      () => 'allowed',
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'lost'),
    );
  } finally {
    await client.query('rollback');
    await client.query('reset all');
    client.release();
  }
};

const refused = '42501';
/** Statements with the SQLSTATE of each that is not refused for lack of a privilege. */
const outcomes = async (pool: pg.Pool, statements: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const sql of statements) {
    const outcome = await attempt(pool, sql);
    if (outcome !== refused) found.push(`${outcome}: ${sql}`);
  }
  return found;
};

type Relation = Readonly<{ name: string; kind: string; column: string }>;
const relationsIn = async (database: string): Promise<readonly Relation[]> => {
  const { rows } = await server.poolAs('administrator', database).query<Relation>(
    `select relname as name, case relkind when 'S' then 'sequence' else 'table' end as kind,
       (select attname from pg_attribute where attrelid = c.oid and attnum = 1) as column
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')`,
  );
  return rows;
};

/** Only its owner may do this to an object. */
const definitionsOf = ({ name, kind, column }: Relation): readonly string[] =>
  kind === 'sequence'
    ? [`select nextval('${name}')`, `select setval('${name}', 1)`, `drop sequence ${name} cascade`]
    : [
        `drop table ${name} cascade`,
        `truncate ${name}`,
        `alter table ${name} disable trigger all`,
        `alter table ${name} add column further integer`,
        `alter table ${name} rename to other`,
        `alter table ${name} owner to current_user`,
        `alter table ${name} enable row level security`,
        `create trigger further before insert on ${name} for each row execute function tape_is_immutable()`,
        `create rule further as on insert to ${name} do instead nothing`,
        `create index on ${name} (${column})`,
        `lock table ${name} in access exclusive mode`,
        `comment on table ${name} is 'x'`,
      ];

const changesOf = ({ name, column }: Relation): Readonly<Record<string, string>> => ({
  insert: `insert into ${name} select * from ${name}`,
  update: `update ${name} set ${column} = ${column}`,
  delete: `delete from ${name}`,
});

const privilege = (line: string | undefined, user: User): readonly string[] =>
  new RegExp(`${user} ([a-z+]+)`).exec(line?.split('|')[1] ?? '')?.[1]?.split('+') ?? [];

const dangerous: readonly string[] = [
  'create table public.further (n integer)',
  'create view public.sessions_of_others as select 1',
  'create function public.unnest(text[]) returns setof text language sql as $$ select 1::text $$',
  'create or replace function public.tape_server() returns text language internal as $$ now $$',
  'create schema further',
  'create temporary table further (n integer)',
  'create extension pg_stat_statements',
  'create role further',
  'create event trigger further on ddl_command_start execute function tape_is_immutable()',
  'drop schema public cascade',
  'drop schema read_models cascade',
  'alter schema read_models owner to current_user',
  `do $$ begin execute 'select 1'; end $$`,
  'create function read_models.unnest(text[]) returns setof text language sql as $$ select 1::text $$',
  'create function read_models.f() returns trigger language plpgsql as $$ begin return null; end $$',
  `create function read_models.f() returns int language c as '/tmp/x.so', 'f'`,
  `set session_replication_role = 'replica'`,
  'set role tapedeck_owner',
  'set role tapedeck',
  'set session authorization tapedeck',
  `alter role tapedeck_owner login password 'x'`,
  'alter role current_user superuser',
  'grant tapedeck_owner to current_user',
  'select * from pg_authid',
  'select * from pg_shadow',
  `copy (select 1) to program 'id'`,
  `copy (select 1) to '/tmp/further'`,
  `select pg_read_file('/etc/passwd')`,
  `select pg_ls_dir('.')`,
  `select lo_import('/etc/passwd')`,
  `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tapedeck'`,
  'select pg_reload_conf()',
  `load 'auto_explain'`,
];

const onFunctions = {
  tapedeck: [
    'drop function tape_append cascade',
    'alter function tape_append security invoker',
    'select tape_is_immutable()',
  ],
  catalogue: [],
} as const;

describe.each(databases)('in the database %s', (database) => {
  it('the privileges of the processes are exactly those that were decided, and everybody else has none', async () => {
    const found = await privilegesOf(server.poolAs('administrator', database));
    expect(found.filter((line) => !isReadModel(line))).toEqual(decidedPrivileges[database]);
  });

  it.each(users)('the %s can change no definition of any object', async (user) => {
    const relations = await relationsIn(database);
    expect(relations.length).toBeGreaterThan(5);
    const statements = relations.flatMap(definitionsOf);
    // What a privilege to change rows includes: to lock the table.
    const found = await outcomes(server.poolAs(user, database), statements);
    expect(found.filter((line) => !line.includes('lock table'))).toEqual([]);
    expect(found.filter((line) => /lock table tape_(events|streams|personal)/.test(line))).toEqual([]);
  });

  it.each(users)('the %s changes only rows that it was granted', async (user) => {
    const tables = (await relationsIn(database)).filter(({ kind }) => kind === 'table');
    const notGranted = tables.flatMap((table) => {
      const line = decidedPrivileges[database].find((decided) => decided.startsWith(`${table.name}:`));
      const granted = privilege(line, user);
      return Object.entries(changesOf(table)).flatMap(([kind, sql]) => (granted.includes(kind) ? [] : [sql]));
    });
    expect(notGranted.length).toBeGreaterThan(5);
    expect(await outcomes(server.poolAs(user, database), notGranted)).toEqual([]);
  });

  it.each(users)(
    'the %s can neither create functions nor become somebody else nor leave the database',
    async (user) => {
      const statements = [...dangerous, ...onFunctions[database]];
      expect(await outcomes(server.poolAs(user, database), statements)).toEqual([]);
    },
  );

  it('the API can change no read model, and only the projector can create one, without reference to the tape', async () => {
    const create = 'create table read_models.further (n bigint)';
    expect(await attempt(server.poolAs('api', database), create)).toBe(refused);
    const projector = server.poolAs('projector', database);
    expect(await attempt(projector, create)).toBe('allowed');
    const referencing = 'create table read_models.further (id text references public.migrations)';
    expect(await attempt(projector, referencing)).toBe(refused);
  });

  it('a role without any grant cannot connect', async () => {
    await expect(server.poolAs('stranger', database).query('select 1')).rejects.toMatchObject({
      code: refused,
    });
  });
});

it.each(['postgres', 'template1'])('only the administrator can connect to %s', async (database) => {
  for (const user of [...users, 'stranger'] as const) {
    await expect(server.poolAs(user, database).query('select 1')).rejects.toMatchObject({ code: refused });
  }
});

it('the processes have no attribute and no membership that would give them more', async () => {
  const { rows } = await server.poolAs('administrator', 'postgres').query(
    `select rolname, rolcanlogin, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as strong,
       exists (select from pg_auth_members m where m.member = r.oid) as "isMember"
     from pg_roles r where rolname like 'tapedeck\\_%' order by 1`,
  );
  expect(rows).toEqual([
    { rolname: 'tapedeck_api', rolcanlogin: true, strong: false, isMember: false },
    { rolname: 'tapedeck_console_ro', rolcanlogin: true, strong: false, isMember: false },
    { rolname: 'tapedeck_console_rw', rolcanlogin: true, strong: false, isMember: false },
    // It owns the function that ends the queries of the console.
    { rolname: 'tapedeck_owner', rolcanlogin: false, strong: false, isMember: true },
    { rolname: 'tapedeck_projector', rolcanlogin: true, strong: false, isMember: false },
  ]);
});

it('a table without a decision about its privileges is refused to every process', async () => {
  const admin = server.poolAs('administrator', 'tapedeck');
  await admin.query('set role tapedeck_owner; create table undecided (n integer); reset role');
  for (const user of users)
    expect(await attempt(server.poolAs(user, 'tapedeck'), 'select * from undecided')).toBe(refused);
  const found = await privilegesOf(admin);
  expect(found.filter((line) => !isReadModel(line))).not.toEqual(decidedPrivileges.tapedeck);
  await admin.query('drop table undecided');
});

it('a role with further rights is not accepted for a process', async () => {
  const admin = server.poolAs('administrator', 'postgres');
  await admin.query('alter role tapedeck_api createdb');
  await expect(server.migrate()).rejects.toMatchObject({ code: 'DATABASE_ROLE_TOO_STRONG' });
  await admin.query('alter role tapedeck_api nocreatedb');
  await server.migrate();
});
