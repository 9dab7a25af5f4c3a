import type { EventStore } from '@tapedeck/eventing';
import {
  assertMasterKey,
  assertTapeUsable,
  createPersonalDataKeys,
  createPostgresEventStore,
} from '@tapedeck/eventing/postgres';
import { assertSameTape, poolOf, readModelState } from '@tapedeck/eventing/projections';
import { DomainError, messageOf } from '@tapedeck/kernel';
import type { Config } from '@tapedeck/platform/config';
import { openDatabases, type DatabaseOptions, type Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { databases, eventTypes, migrations, projections, type DatabaseName } from './modules.ts';

/** The databases and the tape, which every process opens first. */
export type OpenProduct = Readonly<{
  databases: Databases<DatabaseName>;
  /** The tape with the event types of all modules and readable personal fields. */
  store: EventStore;
  close: () => Promise<void>;
}>;

const databaseUrls = (config: Config): Readonly<Record<DatabaseName, string>> =>
  // One address for each name in `databases`.
  Object.fromEntries(Object.entries(databases).map(([name, url]) => [name, url(config)])) as Record<
    DatabaseName,
    string
  >;

/** Migrations may take as long as they need. */
const runMigrations = async (options: DatabaseOptions<DatabaseName>): Promise<void> => {
  const { pools, close } = await openDatabases(options);
  try {
    await migrate(pools, migrations);
  } finally {
    await close();
  }
};

export type OpenProductOptions = Readonly<{
  /** After this time a query that a request waits for ends with an error. */
  queryMs?: number;
}>;

/** Opens the databases, runs the migrations and opens the tape. The database server shows `application`. */
export const openProduct = async (
  application: string,
  config: Config,
  logger: Logger,
  options: OpenProductOptions = {},
): Promise<OpenProduct> => {
  const databaseOptions = {
    urls: databaseUrls(config),
    application: `tapedeck ${application}`,
    onError: (error: Error) => logger.warn({ err: error }, 'a database connection was lost'),
  };
  await runMigrations(databaseOptions);
  const { pools, close } = await openDatabases({ ...databaseOptions, ...options });
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
