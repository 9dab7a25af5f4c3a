export * from './testing/test-search-app.ts';
