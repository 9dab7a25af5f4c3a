export * from './adapters/columnar/engine.ts';
export { javascriptKernel } from './adapters/columnar/kernel/testing/reference-kernel.ts';
export { oneSearchRequest } from './adapters/elasticsearch/one-search.ts';
export { searchRequests } from './adapters/elasticsearch/requests/search-requests.ts';
export {
  computeEdges,
  edgesOutgrown,
  type EdgeSet,
  type FacetEdges,
  type KnownCounts,
} from './catalogue/edges.ts';
export { configuredBackend } from './configured-backend.ts';
export { CatalogueFeed, explorerCatalogue } from './catalogue-feed.ts';
export * from './search-backend.ts';
export { toSearchFilter } from './search-filter.ts';
export * from './search-port.ts';
