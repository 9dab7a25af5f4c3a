/** For tests of other modules: the rules of payments, and what Stripe may say of a subscription. */
export { checkoutDecider } from './domain/checkout.ts';
export { subscriptionDecider } from './domain/decide-subscription.ts';
export type { SubscriptionCommand } from './domain/subscription-commands.ts';
export type { SubscriptionReading } from './domain/subscription-reading.ts';
export * from './testing/readings.ts';
