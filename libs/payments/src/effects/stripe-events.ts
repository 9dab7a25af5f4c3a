import {
  defineEffect,
  dispatch,
  type Dispatch,
  type Effect,
  type EffectContext,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { checkouts, checkoutStream } from '../domain/checkout.ts';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import type { SessionSnapshot, StripeReads, SubscriptionSnapshot } from '@tapedeck/stripe/port';
import { recordSnapshot } from '../recording/record-snapshot.ts';

export type StripeEventsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription' | 'readSession' | 'subscriptionOf'>;
  unclaimedRefundDays: number;
}>;

/** Events after which a subscription may have changed; the others are only stored. */
const relevant =
  /^(?:checkout\.session|customer\.subscription|invoice|charge|refund|subscription_schedule)\./;
/** Events that concern more than the newest invoice. */
const ofAllMoney = /^(?:charge\.(?:refund|dispute)|refund)|^invoice\.(?:voided|marked_uncollectible)/;
const onlyReminds = /^(?:invoice\.upcoming|customer\.subscription\.trial_will_end)$/;

type Received = StripeEventReceived['data'];

/** Whether something may have changed that the product records. */
const concerns = ({ data: { type } }: RecordedEvent<StripeEventReceived>): boolean =>
  relevant.test(type) && !onlyReminds.test(type);

const sessionDispatches = (session: SessionSnapshot): readonly Dispatch[] =>
  session.status === 'expired' && session.intentId !== null
    ? [dispatch(checkouts, checkoutStream(session.intentId), { type: 'ExpireCheckout' })]
    : [];

const subscriptionIdOf = async (
  { subscriptionId, chargeId, invoiceId, objectId }: Received,
  session: SessionSnapshot | undefined,
  { stripe }: StripeEventsPorts,
): Promise<string | null> => {
  const known = subscriptionId ?? session?.subscriptionId ?? null;
  if (known !== null || session) return known;
  const object = invoiceId ?? chargeId ?? objectId;
  return object === null ? null : stripe.subscriptionOf(object);
};

/** What events say about one subscription. */
type Hints = { readonly received: Received[]; sessionId: string | null };

const readNewest = async (
  subscriptionId: string,
  { received }: Hints,
  { stripe }: StripeEventsPorts,
): Promise<SubscriptionSnapshot | undefined> => {
  const scope = received.some(({ type }) => ofAllMoney.test(type)) ? 'all' : 'newest';
  const snapshot = await stripe.readSubscription(subscriptionId, scope);
  const latest = snapshot?.subscription.latestInvoiceId ?? null;
  const isOfOlderInvoice = received.some(({ invoiceId }) => invoiceId !== null && invoiceId !== latest);
  return scope === 'newest' && isOfOlderInvoice ? stripe.readSubscription(subscriptionId, 'all') : snapshot;
};

/** Reads each session and each subscription once that the events are about. */
const handleEvents = async (
  events: readonly RecordedEvent<StripeEventReceived>[],
  { read, now }: EffectContext,
  ports: StripeEventsPorts,
): Promise<readonly Dispatch[]> => {
  const { stripe, unclaimedRefundDays } = ports;
  const dispatches: Dispatch[] = [];
  const sessions = new Map<string, SessionSnapshot | undefined>();
  const subscriptions = new Map<string, Hints>();
  for (const { data } of events.filter(concerns)) {
    const { checkoutSessionId: sessionId } = data;
    if (sessionId !== null && !sessions.has(sessionId)) {
      const session = await stripe.readSession(sessionId);
      sessions.set(sessionId, session);
      if (session) dispatches.push(...sessionDispatches(session));
    }
    const session = sessionId === null ? undefined : sessions.get(sessionId);
    const subscriptionId = await subscriptionIdOf(data, session, ports);
    if (subscriptionId === null) continue;
    const hints = subscriptions.get(subscriptionId) ?? { received: [], sessionId: null };
    hints.received.push(data);
    hints.sessionId = session?.sessionId ?? hints.sessionId;
    subscriptions.set(subscriptionId, hints);
  }
  for (const [subscriptionId, hints] of subscriptions) {
    const snapshot = await readNewest(subscriptionId, hints, ports);
    const options = { unclaimedRefundDays, isSweep: false, sessionId: hints.sessionId, now };
    if (snapshot) dispatches.push(...(await recordSnapshot(snapshot, read, options)));
  }
  return dispatches;
};

/**
 * Handles the events of Stripe: what an event says is a hint, and the objects are read again. So neither order nor
 * repetition matters, and a later event makes up for a lost one. The events of a customer that wait together are handled
 * with one snapshot per subscription, which was begun after all of them were on the tape.
 */
export const stripeEventsEffect = (ports: StripeEventsPorts): Effect =>
  defineEffect<StripeEventReceived>({
    name: 'stripe-events',
    afterReplay: 'run',
    types: { StripeEventReceived: true },
    keyOf: ({ data: { customerId, subscriptionId, chargeId, objectId, eventId } }) =>
      customerId ?? subscriptionId ?? chargeId ?? objectId ?? eventId,
    concerns,
    run: (event, context) => handleEvents([event], context, ports),
    runTogether: (events, context) => handleEvents(events, context, ports),
  });
