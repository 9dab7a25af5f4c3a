import type { EventStore } from '@tapedeck/eventing';
import {
  assertMasterKey,
  assertTapeUsable,
  createPersonalDataKeys,
  createPostgresEventStore,
} from '@tapedeck/eventing/postgres';
import { assertSameTape, poolOf, readModelState } from '@tapedeck/eventing/projections';
import { DomainError, messageOf } from '@tapedeck/kernel';
import type { Config, DatabaseUrls, MigrationConfig } from './config.ts';
import { migrateWithRoles, readModelSchema } from '@tapedeck/platform/database-roles';
import { openDatabases, type DatabaseOptions, type Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { assertMigrated, databaseRights, migrate } from '@tapedeck/platform/migrations';
import { databases, eventTypes, grants, migrations, projections, type DatabaseName } from './modules.ts';

/** The databases and the tape, which every process opens first. */
export type OpenProduct = Readonly<{
  databases: Databases<DatabaseName>;
  /** The tape with the event types of all modules and readable personal fields. */
  store: EventStore;
  close: () => Promise<void>;
}>;

const databaseUrls = (config: DatabaseUrls): Readonly<Record<DatabaseName, string>> =>
  // One address for each name in `databases`.
  Object.fromEntries(Object.entries(databases).map(([name, url]) => [name, url(config)])) as Record<
    DatabaseName,
    string
  >;

/** Runs the migrations as the owner of everything, and creates a role for each process. */
export const migrateProduct = (config: MigrationConfig, logger: Logger): Promise<void> =>
  migrateWithRoles({
    urls: databaseUrls({
      DATABASE_URL: config.MIGRATION_DATABASE_URL,
      CATALOGUE_DATABASE_URL: config.MIGRATION_CATALOGUE_DATABASE_URL,
    }),
    migrations,
    grants,
    prefix: config.DATABASE_ROLE_PREFIX,
    passwords: {
      ...(config.API_DATABASE_PASSWORD === undefined ? {} : { api: config.API_DATABASE_PASSWORD }),
      ...(config.PROJECTOR_DATABASE_PASSWORD === undefined
        ? {}
        : { projector: config.PROJECTOR_DATABASE_PASSWORD }),
      ...(config.CONSOLE_DATABASE_PASSWORD === undefined
        ? {}
        : { console: config.CONSOLE_DATABASE_PASSWORD }),
    },
    consoleDatabase: 'catalogue',
    ownsServer: config.MIGRATION_OWNS_SERVER === 'yes',
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });

/**
 * Runs the migrations if the role may, which then owns everything; otherwise they must have run. Returns whether the read
 * models have a schema of their own. Migrations may take as long as they need.
 */
const prepareDatabases = async (options: DatabaseOptions<DatabaseName>, logger: Logger): Promise<boolean> => {
  const { pools, close } = await openDatabases(options);
  try {
    const rights = await Promise.all(Object.values(pools).map(databaseRights));
    if (rights.some(({ mayMigrate }) => mayMigrate)) {
      logger.warn('one role owns the databases and serves: `npm run migrate` makes a role for each process');
      await migrate(pools, migrations);
    } else await assertMigrated(pools, migrations);
    return rights.some(({ hasReadModelSchema }) => hasReadModelSchema);
  } finally {
    await close();
  }
};

/** In the schema of the other a role could put tables that hide its own, so its own comes first. */
const searchPathOf = (ownsReadModels: boolean): string =>
  `-c search_path=${ownsReadModels ? `${readModelSchema},public` : `public,${readModelSchema}`}`;

export type OpenProductOptions = Readonly<{
  /** After this time a query that a request waits for ends with an error. */
  queryMs?: number;
  /** Whether this process creates the tables of the read models. */
  ownsReadModels?: boolean;
}>;

/** Opens the databases, which are migrated then, and the tape. The database server shows `application`. */
export const openProduct = async (
  application: string,
  config: Config,
  logger: Logger,
  { ownsReadModels = false, ...options }: OpenProductOptions = {},
): Promise<OpenProduct> => {
  const databaseOptions = {
    urls: databaseUrls(config),
    application: `tapedeck ${application}`,
    onError: (error: Error) => logger.warn({ err: error }, 'a database connection was lost'),
  };
  const hasReadModelSchema = await prepareDatabases(databaseOptions, logger);
  const { pools, close } = await openDatabases({
    ...databaseOptions,
    ...options,
    ...(hasReadModelSchema ? { startOptions: searchPathOf(ownsReadModels) } : {}),
  });
  await assertTapeUsable(pools.tapedeck);
  await assertMasterKey(pools.tapedeck, config.PERSONAL_DATA_KEY);
  const store = createPostgresEventStore({
    url: config.DATABASE_URL,
    types: eventTypes,
    keys: createPersonalDataKeys({ pool: pools.tapedeck, masterKey: config.PERSONAL_DATA_KEY }),
  });
  return {
    databases: pools,
    store,
    close: async () => {
      await store.close();
      await close();
    },
  };
};

const readModelOfAnotherTape = 'READ_MODEL_OF_ANOTHER_TAPE';

/**
 * Checks that the read models were projected from this tape. After a restore they may contain rows of events that are
 * no longer there, and must not be read.
 *
 * @throws DomainError READ_MODEL_OF_ANOTHER_TAPE, which says what to do.
 */
export const assertReadModelsUsable = async ({ databases: pools, store }: OpenProduct): Promise<void> => {
  const { signal } = new AbortController();
  for (const projection of projections) {
    const state = await readModelState(poolOf(pools, projection), projection);
    if (!state) continue;
    await assertSameTape(store, projection, state, signal).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== readModelOfAnotherTape) throw error;
      throw new DomainError(
        'unavailable',
        readModelOfAnotherTape,
        `The read model ${projection.name} cannot be served. ${messageOf(error)} After a restore of the tape, an empty database for CATALOGUE_DATABASE_URL is simpler: it is filled from the tape.`,
      );
    });
  }
};
