import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from './adapters/elasticsearch/client.ts';
import { aliasOf } from './adapters/elasticsearch/index/index-admin.ts';
import { readIndexStatus, requestRebuild } from './adapters/elasticsearch/index/index-status.ts';
import { startIndexWriter, type IndexWriter } from './adapters/elasticsearch/writer/index-writer.ts';
import type { BackendDependencies, EngineConfig } from './search-backend.ts';

/** Keeps the search index at the end of the tape; null without a configured server, and so without an index. */
export const startConfiguredIndexWriter = (
  config: EngineConfig,
  { store, catalogue, logger }: BackendDependencies,
): IndexWriter | null => {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_INDEX: prefix } = config;
  if (url === undefined) return null;
  const client = createClient({ url, apiKey });
  const writer = startIndexWriter({ client, pool: catalogue, store, alias: aliasOf(prefix), logger });
  return {
    stop: async () => {
      await writer.stop();
      await client.close();
    },
  };
};

const pollIntervalMs = 200;

/**
 * Has a new index built beside the live one, and resolves when it has taken its place. The projector builds it when
 * it runs, otherwise this process.
 */
export const rebuildIndex = async (
  config: EngineConfig,
  dependencies: BackendDependencies,
  signal: AbortSignal,
): Promise<void> => {
  const { catalogue } = dependencies;
  const alias = aliasOf(config.ELASTICSEARCH_INDEX);
  const rebuild = await requestRebuild(catalogue, alias);
  const writer = startConfiguredIndexWriter(config, dependencies);
  try {
    while (((await readIndexStatus(catalogue, alias))?.rebuildDone ?? 0n) < rebuild) {
      await wait(pollIntervalMs, undefined, { signal });
    }
  } finally {
    await writer?.stop();
  }
};
