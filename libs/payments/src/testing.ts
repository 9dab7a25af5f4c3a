/** For tests of other modules: the rules of payments, and what Stripe may say of a subscription. */
export { checkoutDecider } from './domain/checkout.ts';
export { subscriptionDecider } from './domain/decide-subscription.ts';
export type { SubscriptionCommand } from './domain/decide-subscription.ts';
export type { SubscriptionSnapshot } from '@tapedeck/stripe/port';
export * from './testing/snapshots.ts';
export { checkouts } from './domain/checkout.ts';
export { subscriptions } from './domain/decide-subscription.ts';
export { confirmSnapshotsEffect } from './effects/confirm-snapshots.ts';
export { stripeEventsEffect } from './effects/stripe-events.ts';
export { refundedAmount } from './domain/entitlement.ts';
export type { Subscription } from './domain/subscription.ts';
export { booksOf, reconcile } from './domain/money-findings.ts';
export { mayPass } from './domain/refusals.ts';
export { secondPurchasesEffect } from './effects/second-purchases.ts';
export { stripeRequestsEffect } from './effects/stripe-requests.ts';
export { recordSnapshot } from './recording/record-snapshot.ts';
