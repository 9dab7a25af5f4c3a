import { edgesOfVersion } from '@tapedeck/search-engine/read-model';
import { facetFields } from '@tapedeck/search-engine/contract';
import type { BackendDependencies, SearchBackend } from '@tapedeck/search-engine/port';
import { createClient, type ServerConfig } from './client.ts';
import { createElasticsearchEngine } from './engine.ts';
import { startIndexFeed, type IndexFeed } from './index-feed.ts';
import { aliasOf } from './index/index-admin.ts';
import { indexFigures } from './index/index-figures.ts';
import { createSearchQueue } from './search-queue.ts';
import { createSnapshots } from './snapshots.ts';

/** A whole interaction: the rows, a histogram of each facet, the smallest and largest values. */
const searchesPerInteraction = facetFields.length + 2;
const queueLimits = { maxRunning: 2 * searchesPerInteraction, maxWaitMs: 500 };

/** Searches an index that the projector writes. */
export const elasticsearchBackend = (
  { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_INDEX: prefix }: ServerConfig,
  { catalogue, logger }: BackendDependencies,
): SearchBackend => {
  const server = { url, apiKey };
  const client = createClient(server);
  // Of its own, so that its requests never wait for a connection behind those of members.
  const livenessClient = createClient(server);
  const alias = aliasOf(prefix);
  const snapshots = createSnapshots({
    client,
    index: alias,
    edgesOf: (version) => edgesOfVersion(catalogue, version),
  });
  const queue = createSearchQueue(queueLimits);
  let feed: IndexFeed | undefined;
  return {
    engine: createElasticsearchEngine({
      client,
      snapshots,
      queue,
      onAnswer: () => feed?.reportAnswer(),
      onFailure: (error) => feed?.reportFailure(error),
      isUnavailable: () => feed?.isUnavailable() ?? false,
    }),
    follow: () => {
      const started = startIndexFeed({ livenessClient, snapshots, pool: catalogue, alias, logger });
      feed = started;
      const stop = async (): Promise<void> => {
        await started.stop();
        await Promise.all([client.close(), livenessClient.close()]);
      };
      return { ...started, stop };
    },
    hasDemo: () => snapshots.current()?.state.demo ?? false,
    isUnavailable: () => feed?.isUnavailable() ?? false,
    isBusy: queue.isBusy,
    indexFigures: () => indexFigures(livenessClient, catalogue, alias, feed?.isUnavailable() ?? false),
    healthWhenNotReady: 'degraded',
  };
};
