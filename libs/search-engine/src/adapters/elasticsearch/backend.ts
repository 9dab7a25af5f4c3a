import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import type pg from 'pg';
import { edgesOfVersion } from '../../catalogue/stored-edges.ts';
import type { SearchBackend } from '../../search-backend.ts';
import { createClient, type ServerOptions } from './client.ts';
import { createElasticsearchEngine } from './engine.ts';
import { startIndexFeed, type IndexFeed } from './index-feed.ts';
import { aliasOf } from './index/index-admin.ts';
import { createSnapshots } from './snapshots.ts';

export type ElasticsearchBackendOptions = Readonly<{
  server: ServerOptions;
  /** Beginning of every index name. */
  prefix: string;
  catalogue: pg.Pool;
  logger: ProjectorLogger;
}>;

/** Searches an index that the projector writes. */
export const elasticsearchBackend = (options: ElasticsearchBackendOptions): SearchBackend => {
  const { server, prefix, catalogue, logger } = options;
  const client = createClient(server);
  const alias = aliasOf(prefix);
  const snapshots = createSnapshots({
    client,
    index: alias,
    edgesOf: (version) => edgesOfVersion(catalogue, version),
  });
  let feed: IndexFeed | undefined;
  return {
    engine: createElasticsearchEngine({
      client,
      snapshots,
      onFailure: (error) => feed?.reportFailure(error),
    }),
    follow: () => {
      const started = startIndexFeed({ client, snapshots, pool: catalogue, alias, logger });
      feed = started;
      const stop = async (): Promise<void> => {
        await started.stop();
        await client.close();
      };
      return { ...started, stop };
    },
    hasDemo: () => snapshots.current()?.state.demo ?? false,
    isUnavailable: () => feed?.isUnavailable() ?? false,
    healthWhenNotReady: 'degraded',
  };
};
