export { outsideEffects } from './run/outside-work.ts';
export { stripeAt } from './run/stripe-at.ts';
