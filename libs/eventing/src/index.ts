export * from './core.ts';
export * from './commands/handle.ts';
export { waitForOutcome, type OutcomeOptions } from './commands/wait-for-outcome.ts';
export { unsealRows, type UnsealedRow } from './store/unseal-rows.ts';
