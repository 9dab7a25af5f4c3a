import { migrateProduct } from '@tapedeck/composition/process';
import { migrationConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { runProcess } from '@tapedeck/platform/process';

/** Its transactions are rolled back, and the next start does the rest. */
const endWithLauncher = (): void => process.exit(1);

/** `npm run migrate`: with the rights of an administrator, which no process has that serves or projects. */
runProcess(async () => {
  process.once('disconnect', endWithLauncher);
  const config = migrationConfig(process.env);
  await migrateProduct(config, createLogger('migrate', config.LOG_LEVEL));
  process.off('disconnect', endWithLauncher);
  process.disconnect?.();
});
