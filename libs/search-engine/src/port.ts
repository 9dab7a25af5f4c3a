export * from './search-backend.ts';
export * from './search-filter.ts';
export type * from './search-port.ts';
