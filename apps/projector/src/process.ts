import { messageOf } from '@tapedeck/kernel';
import type { Config } from '@tapedeck/platform/config';
import { openDatabases, type Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { migrations } from './rooms.ts';

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

/** Runs a process; a failed start is one sentence on standard error (and to the launcher), and exit status 1. */
export const runProcess = (main: () => Promise<void>): void => {
  main().catch((error: unknown) => {
    const message = messageOf(error);
    process.stderr.write(`${message}\n`);
    if (!process.send) process.exit(1);
    process.send({ type: 'failed', message }, () => process.exit(1));
  });
};

export { openStore } from './store.ts';
