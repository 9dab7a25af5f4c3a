export * from './forgotten.ts';
