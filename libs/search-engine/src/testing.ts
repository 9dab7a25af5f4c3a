export { referenceKernel } from './adapters/columnar/kernel/testing/reference-kernel.ts';
export * from './testing/demo-rows.ts';
export * from './testing/elasticsearch-server.ts';
export * from './testing/random-catalogue.ts';
export * from './testing/strategy-tape.ts';
export * from './testing/test-catalogue.ts';
export * from './testing/test-search-app.ts';
