import { createRequire } from 'node:module';
import type * as Elasticsearch from '@elastic/elasticsearch';

type Package = typeof Elasticsearch;
let loaded: Package | undefined;

/**
 * The client's package, loaded with its first use: its 500 files would take a third of the time in which a process
 * without a search server starts.
 */
const elasticsearch = (): Package => {
  loaded ??= createRequire(import.meta.url)('@elastic/elasticsearch') as Package;
  return loaded;
};

export const clientErrors = (): Package['errors'] => elasticsearch().errors;

export const clientClass = (): Package['Client'] => elasticsearch().Client;
