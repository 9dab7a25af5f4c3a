import { setTimeout as wait } from 'node:timers/promises';
import type { BackendDependencies } from '@tapedeck/search-engine/port';
import { createClient, type ServerConfig } from './client.ts';
import { aliasOf } from './index/index-admin.ts';
import { readIndexStatus, requestRebuild } from './index/index-status.ts';
import { startIndexWriter, type IndexWriter } from './writer/index-writer.ts';

/** Keeps the search index at the end of the tape. */
export const startConfiguredIndexWriter = (
  config: ServerConfig,
  { store, catalogue, logger }: BackendDependencies,
): IndexWriter => {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_INDEX: prefix } = config;
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
  config: ServerConfig,
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
    await writer.stop();
  }
};
