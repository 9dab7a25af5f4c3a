import { runImport } from '@tapedeck/strategies/import';
import { systemClock } from '@tapedeck/kernel';
import { projectorConfig } from '@tapedeck/platform/config';
import { createLogger } from '@tapedeck/platform/log';
import { openProduct } from '@tapedeck/composition/process';
import { runProcess } from '@tapedeck/platform/process';

/** `npm run import -- FILE.zip`. */
runProcess(async () => {
  const config = projectorConfig(process.env);
  // The command says in its own words what concerns its user.
  const logger = createLogger('import', 'fatal');
  const product = await openProduct('import', config, logger);
  process.exitCode = await runImport({
    path: process.argv[2] ?? '',
    store: product.store,
    clock: systemClock,
  });
  await product.close();
});
