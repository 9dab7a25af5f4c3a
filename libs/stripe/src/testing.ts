/** For tests: the adapter in parts. */
export { stripeReads } from './sdk/reads.ts';
export { stripeRequests } from './sdk/requests.ts';
