import { dispatch, type Dispatch, type ReadStream } from '@tapedeck/eventing';
import { type Checkout, checkouts, checkoutStream, type IntentId } from '../domain/checkout.ts';
import { subscriptions } from '../domain/decide-subscription.ts';
import type { Buyer } from '../domain/record-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { SubscriptionSnapshot } from '@tapedeck/stripe/port';

export type RecordOptions = Readonly<{
  unclaimedRefundDays: number;
  /** Whether a sweep has read it: what is new then is a mismatch. */
  isSweep: boolean;
  /** The checkout session that is behind the subscription, where it is known. */
  sessionId?: string | null;
  now: string;
}>;

const buyerOf = (intentId: IntentId, checkout: Checkout): Buyer | null =>
  checkout.status === 'none'
    ? null
    : {
        intentId,
        accountId: checkout.begun.accountId,
        plan: { tier: checkout.begun.tier, period: checkout.begun.period },
      };

const sessionOf = (checkout: Checkout, sessionId: string | null | undefined): string | null =>
  sessionId ?? ('sessionId' in checkout ? checkout.sessionId : null);

/** The checkout is complete once its subscription is more than an attempt to pay. */
const checkoutPaid = (
  snapshot: SubscriptionSnapshot,
  intentId: IntentId,
  checkout: Checkout,
  { sessionId, now }: RecordOptions,
): readonly Dispatch[] => {
  const { subscriptionId, subscription, payments } = snapshot;
  const session = sessionOf(checkout, sessionId);
  const isAttempt = subscription.status === 'incomplete' || subscription.status === 'incomplete_expired';
  if (isAttempt || session === null || checkout.status === 'paid' || checkout.status === 'refused') return [];
  const { customerId, plan } = subscription;
  const paidAt = payments[0]?.paidAt ?? now;
  return [
    dispatch(checkouts, checkoutStream(intentId), {
      type: 'RecordCheckoutPaid',
      sessionId: session,
      subscriptionId,
      customerId,
      plan,
      paidAt,
    }),
  ];
};

/**
 * The commands that record what was read of a subscription. None for one that is not of this product: an account at
 * Stripe may sell other things too. At a price of ours it is of this product, also when its checkout is not on the tape, as
 * after the restore of an older one: it is charged, and waits for a person until it has an owner.
 */
export const recordSnapshot = async (
  { basedOn, ...snapshot }: SubscriptionSnapshot & Readonly<{ basedOn?: number }>,
  read: ReadStream,
  options: RecordOptions,
): Promise<readonly Dispatch[]> => {
  const { subscriptionId, subscription } = snapshot;
  const { intentId, plan } = subscription;
  const { unclaimedRefundDays, isSweep } = options;
  const stream = subscriptionStream(subscriptionId);
  const checkout: Checkout =
    intentId === null ? { status: 'none' } : await read(checkouts, checkoutStream(intentId));
  const buyer = intentId === null ? null : buyerOf(intentId, checkout);
  // One that is recorded already stays so, whatever somebody has written into its metadata.
  const isOther = !buyer && plan === null;
  if (isOther && !(await read(subscriptions, stream)).observed) return [];
  const record = dispatch(subscriptions, stream, {
    type: 'RecordSubscription',
    snapshot,
    ...(basedOn === undefined ? {} : { basedOn }),
    buyer,
    isSweep,
    unclaimedRefundDays,
  });
  return intentId === null || !buyer
    ? [record]
    : [...checkoutPaid(snapshot, intentId, checkout, options), record];
};
