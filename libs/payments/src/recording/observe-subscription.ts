import type { ReadStream } from '@tapedeck/eventing';
import type { StripeReads, SubscriptionSnapshot } from '@tapedeck/stripe/port';
import { subscriptions } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';

/** A snapshot with its place in the order of the stream: how many were recorded when Stripe was asked. */
export type ObservedSubscription = SubscriptionSnapshot & Readonly<{ basedOn: number }>;

/** Reads a subscription at Stripe, after the tape. Undefined when Stripe has none with this id. */
export const observeSubscription = async (
  stripe: Pick<StripeReads, 'readSubscription'>,
  read: ReadStream,
  subscriptionId: string,
  scope: 'newest' | 'all',
): Promise<ObservedSubscription | undefined> => {
  const { snapshots } = await read(subscriptions, subscriptionStream(subscriptionId));
  const snapshot = await stripe.readSubscription(subscriptionId, scope);
  return snapshot && { ...snapshot, basedOn: snapshots };
};
