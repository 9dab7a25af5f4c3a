/** For tests of other modules: the rules of a subscription, and what Stripe may say of one. */
export { subscriptionDecider } from './domain/decide-subscription.ts';
export type { SubscriptionCommand } from './domain/subscription-commands.ts';
export * from './testing/readings.ts';
