import type pg from 'pg';
import type { SearchBackend } from '../../search-backend.ts';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { edgesOfVersion } from '../../catalogue/stored-edges.ts';
import { createClient, type ServerOptions } from './client.ts';
import { createElasticsearchEngine } from './engine.ts';
import { followIndex, type IndexFeed } from './index-feed.ts';
import { aliasOf } from './index/index-status.ts';
import { createViews } from './snapshots.ts';

export type ElasticsearchBackendOptions = Readonly<{
  server: ServerOptions;
  /** What the names of the indexes begin with. */
  prefix: string;
  catalogue: pg.Pool;
  logger: ProjectorLogger;
}>;

/** Answers from an index that the projector writes. */
export const elasticsearchBackend = (options: ElasticsearchBackendOptions): SearchBackend => {
  const { server, prefix, catalogue, logger } = options;
  const client = createClient(server);
  const alias = aliasOf(prefix);
  const views = createViews({
    client,
    index: alias,
    edgesOf: (version) => edgesOfVersion(catalogue, version),
  });
  let feed: IndexFeed | undefined;
  return {
    engine: createElasticsearchEngine({ client, views, onFailure: (error) => feed?.failed(error) }),
    follow: () => {
      const started = followIndex({ client, views, pool: catalogue, alias, logger });
      feed = started;
      const stop = async (): Promise<void> => {
        await started.stop();
        await client.close();
      };
      return { ...started, stop };
    },
    hasDemo: () => views.current()?.standing.demo ?? false,
    isUnavailable: () => feed?.isUnavailable() ?? false,
    healthWhenNotReady: 'degraded',
  };
};
