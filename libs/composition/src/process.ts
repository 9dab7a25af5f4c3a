import type { EventStore } from '@tapedeck/eventing';
import {
  assertTapeUsable,
  createPersonalDataKeys,
  createPostgresEventStore,
} from '@tapedeck/eventing/postgres';
import type { Config } from '@tapedeck/platform/config';
import { openDatabases, type Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { databases, eventTypes, migrations, type DatabaseName } from './modules.ts';

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

/** Opens the databases, runs the migrations and opens the tape. The database server shows `application`. */
export const openProduct = async (
  application: string,
  config: Config,
  logger: Logger,
): Promise<OpenProduct> => {
  const { pools, close } = await openDatabases({
    urls: databaseUrls(config),
    application: `tapedeck ${application}`,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });
  await migrate(pools, migrations);
  await assertTapeUsable(pools.tapedeck);
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
