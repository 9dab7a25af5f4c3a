import { columnarBackend } from '@tapedeck/columnar/backend';
import type { BackendDependencies, SearchBackend } from '@tapedeck/search-engine/port';

/** Selects the engine: Elasticsearch when its URL is set, otherwise the columnar engine in this process. */
export type SearchConfig = Readonly<{
  ELASTICSEARCH_URL?: string | undefined;
  ELASTICSEARCH_API_KEY?: string | undefined;
  ELASTICSEARCH_INDEX: string;
}>;

/** The configured backend; when it is unavailable, no other one replaces it. */
export const searchBackend = async (
  { ELASTICSEARCH_URL, ...config }: SearchConfig,
  dependencies: BackendDependencies,
): Promise<SearchBackend> => {
  if (ELASTICSEARCH_URL === undefined) return columnarBackend(dependencies);
  const { elasticsearchBackend } = await import('@tapedeck/elasticsearch/backend');
  return elasticsearchBackend({ ELASTICSEARCH_URL, ...config }, dependencies);
};

/** Keeps the search index at the end of the tape; null without a configured server, and so without an index. */
export const startSearchIndexWriter = async (
  { ELASTICSEARCH_URL, ...config }: SearchConfig,
  dependencies: BackendDependencies,
): Promise<Readonly<{ stop: () => Promise<void> }> | null> => {
  if (ELASTICSEARCH_URL === undefined) return null;
  const { startConfiguredIndexWriter } = await import('@tapedeck/elasticsearch/index-writer');
  return startConfiguredIndexWriter({ ELASTICSEARCH_URL, ...config }, dependencies);
};

/**
 * Has a new index built beside the live one, and resolves when it has taken its place. The projector builds it when
 * it runs, otherwise this process.
 */
export const rebuildSearchIndex = async (
  config: SearchConfig & Readonly<{ ELASTICSEARCH_URL: string }>,
  dependencies: BackendDependencies,
  signal: AbortSignal,
): Promise<void> => {
  const { rebuildIndex } = await import('@tapedeck/elasticsearch/index-writer');
  await rebuildIndex(config, dependencies, signal);
};
