import { openClock } from '@tapedeck/platform/clock';
import { taskConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { reportReady, runProcess } from '@tapedeck/platform/process';
import { fillDemoCatalogue } from '@tapedeck/strategies/demo';
import { openProduct } from '@tapedeck/composition/process';

/** Fills an empty tape with the demo catalogue (docs/product-decisions.md#demo-catalogue); does nothing when the tape has other strategies. */
runProcess(async () => {
  const config = taskConfig(process.env);
  const logger = createLogger('demo', config.LOG_LEVEL);
  const clock = await openClock(config.CLOCK_URL);
  const product = await openProduct('demo', config, logger);
  const report = await fillDemoCatalogue({
    store: product.store,
    clock,
    count: Number(process.env['DEMO_CATALOGUE'] ?? 4_500),
    onProgress: (done, total) => process.send?.({ type: 'progress', done, total }),
  });
  await product.close();
  clock.close();
  reportReady({ report });
  process.disconnect?.();
});
