import type { StripeReads } from '../stripe-port.ts';

/** What a replay may ask of Stripe: it has no port that writes. */
export type ReplayStripe = Pick<
  StripeReads,
  'readSubscription' | 'readSession' | 'subscriptionOf' | 'listEvents' | 'readEvent'
>;

/**
 * Observations are dated to the time of the dry run, so that the same state of Stripe gives the same commands when the
 * replay is applied.
 */
export const stripeAt = (stripe: StripeReads, at: string): ReplayStripe => ({
  readSubscription: async (id, scope) => {
    const reading = await stripe.readSubscription(id, scope);
    return reading && { ...reading, subscription: { ...reading.subscription, observedAt: at } };
  },
  readSession: (id) => stripe.readSession(id),
  subscriptionOf: (id) => stripe.subscriptionOf(id),
  listEvents: (options) => stripe.listEvents(options),
  readEvent: (id) => stripe.readEvent(id),
});
