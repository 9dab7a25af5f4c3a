import { startTestServer } from '@tapedeck/eventing/servers';
import { migrationConfig, taskConfig, type Config } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import pg from 'pg';
import { migrateProduct } from '@tapedeck/composition/process';

export type User = 'api' | 'projector' | 'console_ro' | 'console_rw' | 'stranger' | 'administrator';

/** A server of the test's own, because roles belong to a server and not to a database. */
export type RoleServer = Readonly<{
  urlAs: (user: User, database: string) => string;
  poolAs: (user: User, database: string) => pg.Pool;
  /** Creates empty databases. */
  create: (...databases: readonly string[]) => Promise<void>;
  /** What `npm run migrate` does. */
  migrate: (tape?: string, catalogue?: string) => Promise<void>;
  configAs: (user: User, tape?: string, catalogue?: string) => Config;
  dispose: () => Promise<void>;
}>;

const passwords = {
  api: 'password-of-the-api',
  projector: 'password-of-the-projector',
  console_ro: 'password-of-the-console',
  console_rw: 'password-of-the-console',
};
export const silent = createLogger('roles', 'silent');

export const startRoleServer = async (): Promise<RoleServer> => {
  const server = await startTestServer({ fsync: 'off' });
  const pools: pg.Pool[] = [];
  const urlAs: RoleServer['urlAs'] = (user, database) => {
    const url = new URL(server.url(database));
    if (user === 'stranger') [url.username, url.password] = ['stranger', 'stranger'];
    else if (user !== 'administrator') [url.username, url.password] = [`tapedeck_${user}`, passwords[user]];
    return url.href;
  };
  const poolAs: RoleServer['poolAs'] = (user, database) => {
    const pool = new pg.Pool({ connectionString: urlAs(user, database), max: 4 });
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  };
  const admin = poolAs('administrator', 'postgres');
  await admin.query(`create role stranger login password 'stranger'`);
  return {
    urlAs,
    poolAs,
    create: async (...databases) => {
      for (const name of databases) await admin.query(`create database ${name}`);
    },
    migrate: (tape = 'tapedeck', catalogue = 'catalogue') =>
      migrateProduct(
        migrationConfig({
          MIGRATION_DATABASE_URL: server.url(tape),
          MIGRATION_CATALOGUE_DATABASE_URL: server.url(catalogue),
          API_DATABASE_PASSWORD: passwords.api,
          PROJECTOR_DATABASE_PASSWORD: passwords.projector,
          CONSOLE_DATABASE_PASSWORD: passwords.console_ro,
          MIGRATION_OWNS_SERVER: 'yes',
        }),
        silent,
      ),
    configAs: (user, tape = 'tapedeck', catalogue = 'catalogue') =>
      taskConfig({
        DATABASE_URL: urlAs(user, tape),
        CATALOGUE_DATABASE_URL: urlAs(user, catalogue),
        PERSONAL_DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
      }),
    dispose: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await server.dispose();
    },
  };
};

/** Every privilege that somebody other than the owner has on an object of the database, from the catalogue. */
const privilegesSql = `
  with acls as (
    select 'schema ' || nspname as object, nspowner as owner, coalesce(nspacl, acldefault('n', nspowner)) as acl
      from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select case when nspname = 'public' then '' else nspname || '.' end || relname, relowner,
           coalesce(relacl, acldefault((case relkind when 'S' then 's' else 'r' end)::"char", relowner))
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'v', 'm', 'S', 'p', 'f')
    union all
    select relname || ' (' || attname || ')', relowner, attacl
      from pg_attribute join pg_class c on c.oid = attrelid
      where attacl is not null and relnamespace = 'public'::regnamespace
    union all
    select proname || '()', proowner, coalesce(proacl, acldefault('f', proowner))
      from pg_proc join pg_namespace n on n.oid = pronamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select 'language ' || lanname, lanowner, coalesce(lanacl, acldefault('l', lanowner))
      from pg_language where lanpltrusted
    union all
    select 'database', datdba, coalesce(datacl, acldefault('d', datdba))
      from pg_database where datname = current_database()
  )
  select object || ': ' || pg_get_userbyid(owner) || ' | ' || coalesce((
    select string_agg(who || ' ' || what, ', ' order by who)
    from (select case grantee when 0 then 'everybody' else pg_get_userbyid(grantee)::text end as who,
                 string_agg(lower(privilege_type), '+' order by privilege_type) as what
          from aclexplode(acl) where grantee <> owner group by 1) granted), '') as line
  from acls`;

/** One line for each object: its owner, and the privileges of others. */
export const privilegesOf = async (admin: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await admin.query<{ line: string }>(privilegesSql);
  return rows.map(({ line }) => line.replaceAll('tapedeck_', '')).sort();
};

export const isReadModel = (line: string): boolean => line.startsWith('read_models.');

const both = [
  'language plpgsql: tapedeck | owner usage',
  'language sql: tapedeck | owner usage',
  'ignored_events: owner | api select, projector delete+insert+select',
  'migrations: owner | api select, projector select',
  'projection_checkpoints: owner | api select, projector delete+insert+select+update',
  'projection_parked_events: owner | api select, projector delete+insert+select+update',
];
const tape = [
  'database: owner | api connect, projector connect',
  'schema public: pg_database_owner | api usage, projector usage',
  'schema read_models: owner | api usage, projector create+usage',
  'account_roles: owner | api select, projector insert+select+update',
  'daily_counts: owner | api insert+select+update',
  'job_failures: owner | api select, projector delete+insert+select+update',
  'personal_data_keys (forgotten_at): owner | api update, projector update',
  'personal_data_keys (wrapped): owner | api update, projector update',
  'personal_data_keys: owner | api insert+select, projector insert+select',
  'rate_limit_counts: owner | api delete+insert+select+update',
  'reaction_pending_events: owner | api select, projector delete+insert+select+update',
  'scheduled_jobs: owner | api select, projector insert+select+update',
  'sessions: owner | api delete+insert+select+update, projector delete+select',
  'strategy_upload_chunks: owner | api insert, projector select',
  'strategy_uploads (name): owner | api update',
  'strategy_uploads (sha256): owner | api update',
  'strategy_uploads (size): owner | api update',
  'strategy_uploads: owner | api delete+insert+select, projector delete+select+update',
  'tape_append(): owner | api execute, projector execute',
  'tape_days: owner | api select, projector insert+select+update',
  'tape_days_counted: owner | api select, projector insert+select+update',
  'tape_events: owner | api select, projector select',
  'tape_is_immutable(): owner | ',
  'tape_master_key: owner | api insert+select, projector insert+select',
  'tape_personal_subjects (subject): owner | api select, projector select',
  'tape_personal_subjects: owner | api insert, projector insert',
  'tape_personal_subjects_are_immutable(): owner | ',
  'tape_position: owner | ',
  'tape_server(): owner | api execute, projector execute',
  'tape_settling(): owner | api execute, projector execute',
  'tape_snapshots: owner | api insert+select+update, projector insert+select+update',
  'tape_streams: owner | ',
];
const catalogue = [
  'database: owner | api connect, console_ro connect, console_rw connect, projector connect',
  'schema public: pg_database_owner | api usage, console_rw usage, projector usage',
  'schema read_models: owner | api usage, console_ro usage, console_rw usage, projector create+usage',
  'assert_storable(): owner | ',
  'capture_strategy_change(): owner | projector execute',
  'captured_changes: owner | console_rw select',
  'captured_changes_id_seq: owner | ',
  'console_end_query(): owner | api execute',
  'grant_catalogue_to_console(): owner | projector execute',
  'explorer_edges: owner | api insert+select, projector insert+select',
  'explorer_identity: owner | api select, projector select',
  'explorer_index: owner | api select, projector insert+select+update',
];

/** What has been decided. A new table, function or sequence needs a line. */
export const decidedPrivileges = {
  tapedeck: [...both, ...tape].sort(),
  catalogue: [...both, ...catalogue].sort(),
} as const;

/** The views on which statements of the SQL console work; the rows below them belong to the projector. */
export const decidedOfConsole = [
  'read_models.strategies: projector | api select, console_ro select, console_rw delete+insert+select+update',
  'read_models.strategies_parsed_simple: projector | api select, console_ro select, console_rw select',
  'read_models.strategy_indicators: projector | api select, console_ro select, console_rw select',
];
