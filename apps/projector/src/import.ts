import { runImport } from '@tapedeck/strategies/import';
import { openClock } from '@tapedeck/platform/clock';
import { taskConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { openProduct } from '@tapedeck/composition/process';
import { runProcess } from '@tapedeck/platform/process';

/** `npm run import -- FILE.zip`. */
runProcess(async () => {
  const config = taskConfig(process.env);
  // The command says in its own words what concerns its user.
  const logger = createLogger('import', 'fatal');
  const clock = await openClock(config.CLOCK_URL);
  const product = await openProduct('import', config, logger);
  process.exitCode = await runImport({
    path: process.argv[2] ?? '',
    store: product.store,
    clock,
  });
  await product.close();
  clock.close();
});
