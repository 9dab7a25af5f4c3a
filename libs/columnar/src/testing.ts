export { referenceKernel } from './kernel/testing/reference-kernel.ts';
export * from './testing/test-search-app.ts';
