export * from './testing/decider-spec.ts';
export * from './testing/event-store.contract.ts';
export * from './testing/golden-events.ts';
export * from './testing/sample-events.ts';
export { eventually } from './testing/eventually.ts';
