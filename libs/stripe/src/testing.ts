/** For tests: the adapter in parts. */
export { stripeReads } from './sdk/reads.ts';
export { stripeWrites } from './sdk/writes.ts';
