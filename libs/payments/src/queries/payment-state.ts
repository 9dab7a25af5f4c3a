import type { ReadStream } from '@tapedeck/eventing';
import type { StripeReads } from '@tapedeck/stripe/port';
import type pg from 'pg';
import { type Checkout, checkouts, checkoutStream, type IntentId } from '../domain/checkout.ts';
import { subscriptions } from '../domain/decide-subscription.ts';
import type { PaymentState } from '../contract.ts';
import { termsOf } from '../domain/entitlement.ts';
import type { Subscription } from '../domain/subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { SharedReads } from './shared-reads.ts';

export type Payment = Readonly<{ checkout: Checkout; subscription: Subscription; state: PaymentState }>;

const stateOf = (checkout: Checkout, subscription: Subscription): PaymentState => {
  if (checkout.status === 'refused' || subscription.purchaseReturn?.keeps.length === 0) return 'returned';
  if (checkout.status === 'expired') return 'expired';
  switch (termsOf(subscription)?.phase) {
    case 'active':
    case 'past-due':
    case 'suspended':
    case 'ended':
      return 'paid';
    case 'abandoned':
      return 'failed';
    case 'pending':
    case undefined:
      return 'processing';
  }
};

/** What the tape says of a payment. */
export const readPayment = async (read: ReadStream, intentId: IntentId): Promise<Payment> => {
  const checkout = await read(checkouts, checkoutStream(intentId));
  const subscription =
    checkout.status === 'paid'
      ? await read(subscriptions, subscriptionStream(checkout.subscriptionId))
      : subscriptions.decider.initialState;
  return { checkout, subscription, state: stateOf(checkout, subscription) };
};

/** Linear: one character class. */
const sessionPattern = /^cs_[A-Za-z0-9_]{1,200}$/;

export type FindsIntent = Readonly<{
  pool: pg.Pool;
  stripe: Pick<StripeReads, 'readSession'>;
  sharedReads: SharedReads;
}>;

/** The intent of a checkout session; undefined for one that is not ours. */
export const intentOfSession = async (
  { pool, stripe, sharedReads }: FindsIntent,
  sessionId: string,
): Promise<IntentId | undefined> => {
  if (!sessionPattern.test(sessionId)) return undefined;
  const { rows } = await pool.query<{ intent_id: string }>(
    'select intent_id from checkouts where session_id = $1',
    [sessionId],
  );
  const [known] = rows;
  if (known) return known.intent_id;
  // The read model may not have reached a session that was made just now.
  const session = await sharedReads.read(`session ${sessionId}`, () => stripe.readSession(sessionId));
  return session?.intentId ?? undefined;
};
