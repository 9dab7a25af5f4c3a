import { openProduct } from '@tapedeck/composition/process';
import { rebuildSearchIndex } from '@tapedeck/composition/search';
import { DomainError } from '@tapedeck/kernel';
import { taskConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { runProcess } from '@tapedeck/platform/process';

const rebuildTimeoutMs = 60 * 60_000;

/** `npm run rebuild:index`. */
runProcess(async () => {
  const config = taskConfig(process.env);
  const { ELASTICSEARCH_URL } = config;
  if (ELASTICSEARCH_URL === undefined) {
    throw new DomainError(
      'invalid',
      'NO_SEARCH_SERVER',
      'There is no index to rebuild: without ELASTICSEARCH_URL the explorer answers from memory.',
    );
  }
  const logger = createLogger('rebuild-index', 'warn');
  const product = await openProduct('rebuild-index', config, logger);
  const startedAt = performance.now();
  const { store, databases } = product;
  await rebuildSearchIndex(
    { ...config, ELASTICSEARCH_URL },
    { store, catalogue: databases.catalogue, logger },
    AbortSignal.timeout(rebuildTimeoutMs),
  );
  process.stdout.write(
    `The index is rebuilt and answers (${Math.round(performance.now() - startedAt)} ms).\n`,
  );
  await product.close();
});
