/** For tests of other modules: the rules of payments, and what Stripe may say of a subscription. */
export { checkoutDecider } from './domain/checkout.ts';
export { subscriptionDecider } from './domain/decide-subscription.ts';
export type { SubscriptionCommand } from './domain/subscription-commands.ts';
export type { SubscriptionReading } from '@tapedeck/stripe/port';
export * from './testing/readings.ts';
export { checkouts, subscriptions } from './command-targets.ts';
export { confirmObservationsEffect } from './effects/confirm-observations.ts';
export { stripeEventsEffect } from './effects/stripe-events.ts';
export { stripeWritesEffect } from './effects/stripe-writes.ts';
export { recordReading } from './recording/record-reading.ts';
export { readStreamNow } from './recording/direct-commands.ts';
