import { rebuildIndex } from '@tapedeck/search-engine/index-writer';
import { DomainError } from '@tapedeck/kernel';
import { projectorConfig } from '@tapedeck/platform/config';
import { createLogger } from '@tapedeck/platform/log';
import { openProduct } from '@tapedeck/composition/process';
import { runProcess } from '@tapedeck/platform/process';

const longestRebuild = 60 * 60_000;

/** `npm run rebuild:index`. */
runProcess(async () => {
  const config = projectorConfig(process.env);
  if (config.ELASTICSEARCH_URL === undefined) {
    throw new DomainError(
      'invalid',
      'NO_SEARCH_SERVER',
      'There is no index to rebuild: the explorer answers from memory unless ELASTICSEARCH_URL is set.',
    );
  }
  const logger = createLogger('rebuild-index', 'warn');
  const product = await openProduct('rebuild-index', config, logger);
  const begun = performance.now();
  const { store, databases } = product;
  await rebuildIndex(
    config,
    { store, catalogue: databases.catalogue, logger },
    AbortSignal.timeout(longestRebuild),
  );
  process.stdout.write(`The index is rebuilt and answers (${Math.round(performance.now() - begun)} ms).\n`);
  await product.close();
});
