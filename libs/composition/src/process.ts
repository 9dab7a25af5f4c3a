import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import type { Config } from '@tapedeck/platform/config';
import { openDatabases, type Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { databaseUrls, eventTypes, migrations, type DatabaseName } from './modules.ts';

/** What every process of the product opens first. */
export type OpenProduct = Readonly<{
  databases: Databases<DatabaseName>;
  /** The tape with every module's event types, personal fields readable. */
  store: EventStore;
  close: () => Promise<void>;
}>;

/** Opens the databases, brings them up to date and opens the tape. `application` is shown by the database server. */
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
