import type { StripeReads } from '@tapedeck/stripe/port';

/** What a replay may ask of Stripe: it has no port that changes anything. */
export type ReplayStripe = Pick<
  StripeReads,
  'readSubscription' | 'readSession' | 'subscriptionOf' | 'listEvents' | 'readEvent'
>;

const remembered = <Args extends readonly string[], Result>(
  read: (...args: Args) => Promise<Result>,
): ((...args: Args) => Promise<Result>) => {
  const known = new Map<string, Promise<Result>>();
  return (...args) => {
    const id = args.join(' ');
    const result = known.get(id) ?? read(...args);
    known.set(id, result);
    return result;
  };
};

/**
 * Stripe as one dry run sees it: each object is read once, and snapshots are dated to the time of the dry run, each a
 * millisecond later than the one before, so that the same state of Stripe gives the same commands when the replay is
 * applied.
 */
export const stripeAt = (stripe: StripeReads, at: string): ReplayStripe => {
  let snapshots = 0;
  return {
    readSubscription: remembered(async (id, scope) => {
      const observedAt = new Date(Date.parse(at) + snapshots++).toISOString();
      const snapshot = await stripe.readSubscription(id, scope);
      return snapshot && { ...snapshot, subscription: { ...snapshot.subscription, observedAt } };
    }),
    readSession: remembered((id) => stripe.readSession(id)),
    subscriptionOf: remembered((id) => stripe.subscriptionOf(id)),
    listEvents: (options) => stripe.listEvents(options),
    readEvent: (id) => stripe.readEvent(id),
  };
};
