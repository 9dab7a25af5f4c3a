import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import type { Config } from '@tapedeck/platform/config';
import { openDatabases, type Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { eventTypes, migrations } from './modules.ts';

/** The databases of a process, brought up to date. */
export const openMigratedDatabases = async (
  application: string,
  config: Config,
  logger: Logger,
): Promise<Databases> => {
  const databases = await openDatabases({
    urls: { tapedeck: config.DATABASE_URL, catalogue: config.CATALOGUE_DATABASE_URL },
    application: `tapedeck ${application}`,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });
  await migrate(databases, migrations);
  return databases;
};

/** The tape with every module's event types, personal fields readable. */
export const openStore = (config: Config, databases: Databases): EventStore =>
  createPostgresEventStore({
    url: config.DATABASE_URL,
    types: eventTypes,
    keys: createPersonalDataKeys({ pool: databases.tapedeck, masterKey: config.PERSONAL_DATA_KEY }),
  });
