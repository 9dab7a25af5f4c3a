import { columnarBackend } from './adapters/columnar/backend.ts';
import { elasticsearchBackend } from './adapters/elasticsearch/backend.ts';
import type { BackendDependencies, EngineConfig, SearchBackend } from './search-backend.ts';

/** The configured backend; when it is unavailable, no other one replaces it (D20). */
export const configuredBackend = (config: EngineConfig, dependencies: BackendDependencies): SearchBackend => {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_INDEX: prefix } = config;
  if (url === undefined) return columnarBackend(dependencies);
  return elasticsearchBackend({ ...dependencies, server: { url, apiKey }, prefix });
};
