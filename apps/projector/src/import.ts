import { runImport } from '@tapedeck/strategies/import';
import { systemClock } from '@tapedeck/kernel';
import { projectorConfig } from '@tapedeck/platform/config';
import { createLogger } from '@tapedeck/platform/log';
import { openMigratedDatabases, openStore } from '@tapedeck/composition/process';
import { runProcess } from '@tapedeck/platform/process';

/** `npm run import -- FILE.zip`. */
runProcess(async () => {
  const config = projectorConfig(process.env);
  const logger = createLogger('import', 'warn');
  const databases = await openMigratedDatabases('import', config, logger);
  const store = openStore(config, databases);
  process.exitCode = await runImport({ path: process.argv[2] ?? '', store, clock: systemClock });
  await store.close();
  await databases.close();
});
