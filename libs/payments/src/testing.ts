/** For tests of other modules: the rules of payments, and what Stripe may say of a subscription. */
export { checkoutDecider } from './domain/checkout.ts';
export { subscriptionDecider } from './domain/decide-subscription.ts';
export type { SubscriptionCommand } from './domain/subscription-commands.ts';
export type { SubscriptionReading } from './domain/subscription-reading.ts';
export * from './testing/readings.ts';
export { checkouts, subscriptions } from './effects/command-targets.ts';
export { confirmObservationsEffect } from './effects/confirm-observations.ts';
export { stripeEventsEffect } from './effects/stripe-events.ts';
export { stripeWritesEffect } from './effects/stripe-writes.ts';
export type { StripePort } from './stripe-port.ts';
export { stripeReads } from './stripe/reads.ts';
export { stripeWrites } from './stripe/writes.ts';
export { stripeEventDecider } from './domain/stripe-event.ts';
export { eventOfBody } from './stripe/event-body.ts';
export { recordReading } from './effects/record-reading.ts';
export { readStreamNow } from './effects/send-dispatches.ts';
export { stripeAt } from './replay/stripe-at.ts';
