import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from './adapters/elasticsearch/client.ts';
import { aliasOf, readNotice, wantRebuild } from './adapters/elasticsearch/index/index-status.ts';
import { startIndexWriter, type IndexWriter } from './adapters/elasticsearch/writer/index-writer.ts';
import type { BackendDependencies, EngineConfig } from './search-backend.ts';

/** Keeps the search index at the end of the tape; null when no server is configured, and there is no index. */
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

const lookInterval = 200;

/**
 * Has a new index built beside the one that answers, and waits until it has taken its place: by the projector
 * that runs, or by this process when none does.
 */
export const rebuildIndex = async (
  config: EngineConfig,
  surroundings: BackendDependencies,
  signal: AbortSignal,
): Promise<void> => {
  const alias = aliasOf(config.ELASTICSEARCH_INDEX);
  const wish = await wantRebuild(surroundings.catalogue, alias);
  const writer = startConfiguredIndexWriter(config, surroundings);
  try {
    while (((await readNotice(surroundings.catalogue, alias))?.rebuildDone ?? 0n) < wish) {
      await wait(lookInterval, undefined, { signal });
    }
  } finally {
    await writer?.stop();
  }
};
