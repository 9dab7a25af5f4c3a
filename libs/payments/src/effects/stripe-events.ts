import {
  dispatch,
  type Dispatch,
  type Effect,
  type EffectContext,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { checkouts } from './command-targets.ts';
import { checkoutStream, type StripeEventReceived } from '../events.ts';
import type { SessionReading, StripeReads } from '../stripe-port.ts';
import { recordReading } from './record-reading.ts';

export type StripeEventsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription' | 'readSession' | 'subscriptionOf'>;
  unclaimedRefundDays: number;
}>;

/** Events after which a subscription may be another one; the rest is only stored. */
const relevant =
  /^(?:checkout\.session|customer\.subscription|invoice|charge|refund|subscription_schedule)\./;
/** Those that concern more than the newest invoice. */
const ofAllMoney = /^(?:charge\.(?:refund|dispute)|refund)|^invoice\.(?:voided|marked_uncollectible)/;
const onlyReminds = /^(?:invoice\.upcoming|customer\.subscription\.trial_will_end)$/;

type Received = StripeEventReceived['data'];

const sessionDispatches = (session: SessionReading): readonly Dispatch[] =>
  session.status === 'expired' && session.intentId !== null
    ? [dispatch(checkouts, checkoutStream(session.intentId), { type: 'ExpireCheckout' })]
    : [];

const subscriptionIdOf = async (
  { subscriptionId, chargeId, invoiceId, objectId }: Received,
  session: SessionReading | undefined,
  { stripe }: StripeEventsPorts,
): Promise<string | null> => {
  const known = subscriptionId ?? session?.subscriptionId ?? null;
  if (known !== null || session) return known;
  const object = invoiceId ?? chargeId ?? objectId;
  return object === null ? null : stripe.subscriptionOf(object);
};

const handleEvent = async (
  data: Received,
  { read, now }: EffectContext,
  ports: StripeEventsPorts,
): Promise<readonly Dispatch[]> => {
  const { stripe, unclaimedRefundDays } = ports;
  if (!relevant.test(data.type) || onlyReminds.test(data.type)) return [];
  const session =
    data.checkoutSessionId === null ? undefined : await stripe.readSession(data.checkoutSessionId);
  const ofSession = session ? sessionDispatches(session) : [];
  const subscriptionId = await subscriptionIdOf(data, session, ports);
  if (subscriptionId === null) return ofSession;
  const scope = ofAllMoney.test(data.type) ? 'all' : 'newest';
  let reading = await stripe.readSubscription(subscriptionId, scope);
  // The event is about an older invoice.
  const latest = reading?.subscription.latestInvoiceId ?? null;
  if (scope === 'newest' && data.invoiceId !== null && latest !== data.invoiceId)
    reading = await stripe.readSubscription(subscriptionId, 'all');
  if (!reading) return ofSession;
  const options = { unclaimedRefundDays, isSweep: false, sessionId: session?.sessionId ?? null, now };
  return [...ofSession, ...(await recordReading(reading, read, options))];
};

/**
 * Works off the webhooks: what an event says is a hint, and the objects are read again. So neither order nor repetition
 * matters, and each event that arrives brings what the lost ones would have brought.
 */
export const stripeEventsEffect = (ports: StripeEventsPorts): Effect => ({
  name: 'stripe-events',
  types: ['StripeEventReceived'],
  keyOf: ({ data }) => {
    const { customerId, subscriptionId, chargeId, objectId, eventId } = data as Received;
    return customerId ?? subscriptionId ?? chargeId ?? objectId ?? eventId;
  },
  run: (event, context) => handleEvent((event as RecordedEvent<StripeEventReceived>).data, context, ports),
});
