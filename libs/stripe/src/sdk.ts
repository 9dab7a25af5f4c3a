export { openStripe, STRIPE } from './sdk/open-stripe.ts';
