export { stripeAt } from './run/stripe-at.ts';
