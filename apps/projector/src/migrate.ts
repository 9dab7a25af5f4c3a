import { migrateProduct } from '@tapedeck/composition/process';
import { migrationConfig } from '@tapedeck/platform/config';
import { createLogger } from '@tapedeck/platform/log';
import { runProcess } from '@tapedeck/platform/process';

/** `npm run migrate`: with the rights of an administrator, which no process has that serves or projects. */
runProcess(async () => {
  const config = migrationConfig(process.env);
  await migrateProduct(config, createLogger('migrate', config.LOG_LEVEL));
  process.disconnect?.();
});
