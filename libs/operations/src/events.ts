export type * from './domain/operations.ts';
export { operationsEvents, operationsStream, reasonSubject } from './domain/operations.ts';
