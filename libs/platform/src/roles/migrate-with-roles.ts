import pg from 'pg';
import { openDatabases } from '../databases.ts';
import { migrate, type Migration } from '../migrations.ts';
import { assertWeak, createConsoleRoles, createRoles, type Passwords } from './create-roles.ts';
import { applyGrants, closeFunctions, closeLanguages, grantToConsole, type Grant } from './grants.ts';
import { giveOwnership, joinRoles } from './ownership.ts';

export type { Grant } from './grants.ts';
export { readModelSchema } from './role-names.ts';

export type RoleOptions<Name extends string> = Readonly<{
  /** Each for a role that may create roles and owns the database, or for the owner itself. */
  urls: Readonly<Record<Name, string>>;
  migrations: readonly Migration[];
  grants: readonly Grant[];
  /** The roles are called `tapedeck_owner` and so on. */
  prefix: string;
  /** Without one, the role must exist. */
  passwords: Passwords;
  /** The name of the database that the SQL console works on. */
  consoleDatabase: Name;
  /** Whether the server has no other users, so that its other databases can be closed. */
  ownsServer: boolean;
  onError: (error: Error) => void;
}>;

const lockKey = 7_770_003;

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
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tapedeck migrate',
    // An administrator calls nothing that another role has created.
    options: '-c search_path=pg_catalog',
  });
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
  const roles = {
    owner: `${prefix}_owner`,
    api: `${prefix}_api`,
    projector: `${prefix}_projector`,
    console: passwords.console === undefined ? [] : [`${prefix}_console_ro`, `${prefix}_console_rw`],
  };
  const urls = Object.entries<string>(options.urls);
  const [first] = urls;
  if (!first) return;
  await withClient(first[1], async (client) => {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    for (const [database, url] of urls)
      await withClient(url, async (admin) => {
        await createRoles(admin, roles, passwords);
        await createConsoleRoles(admin, roles, passwords);
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
        if (database !== options.consoleDatabase) return;
        await closeFunctions(admin, roles);
        await grantToConsole(admin, roles);
      });
  });
};
