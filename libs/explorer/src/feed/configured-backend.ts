import { elasticsearchBackend } from '../adapters/elasticsearch/backend.ts';
import { columnarBackend, type BackendSurroundings, type ExplorerBackend } from './backend.ts';

/** Which engine it is: Elasticsearch when it has an address, else the one in this process. */
export type EngineConfig = Readonly<{
  ELASTICSEARCH_URL?: string | undefined;
  ELASTICSEARCH_API_KEY?: string | undefined;
  ELASTICSEARCH_INDEX: string;
}>;

/** The backend that is configured; never another one instead of it (D20). */
export const configuredBackend = (
  config: EngineConfig,
  surroundings: BackendSurroundings,
): ExplorerBackend => {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_INDEX: prefix } = config;
  if (url === undefined) return columnarBackend(surroundings);
  return elasticsearchBackend({ ...surroundings, server: { url, apiKey }, prefix });
};
