export * from './testing/elasticsearch-server.ts';
