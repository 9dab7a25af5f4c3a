export * from './adapters/columnar/engine.ts';
export { javascriptKernel } from './adapters/columnar/kernel/javascript-kernel.ts';
export { computeEdges, edgesOutgrown, type EdgeSet, type FacetEdges, type KnownCounts } from './edges.ts';
export * from './search-port.ts';
export { toSearchFilter, toSearchPage, toSearchQuery } from './search-query.ts';
export { oneSearchRequest } from './adapters/elasticsearch/one-search.ts';
export { searchRequests } from './adapters/elasticsearch/search-request.ts';
