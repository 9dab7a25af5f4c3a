export { emptyRecord } from './domain/strategy-record.ts';
export * from './testing/zip-writer.ts';
