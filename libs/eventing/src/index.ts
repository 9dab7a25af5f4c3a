export * from './decider.ts';
export * from './event.ts';
export * from './event-store.ts';
export * from './event-types.ts';
export * from './commands/handle.ts';
export { waitForOutcome, type OutcomeOptions } from './commands/wait-for-outcome.ts';
export * from './projection.ts';
export * from './reaction.ts';
export { unsealRows, type UnsealedRow } from './unseal-rows.ts';
