import {
  defineEffect,
  dispatch,
  type Dispatch,
  type Effect,
  type EffectContext,
  type ReadStream,
  type RecordedEvent,
  type SealedEvent,
} from '@tapedeck/eventing';
import { checkouts, checkoutStream } from '../domain/checkout.ts';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import type { Logger } from '@tapedeck/platform/log';
import type { SessionSnapshot, StripeReads } from '@tapedeck/stripe/port';
import { observeSubscription, type ObservedSubscription } from '../recording/observe-subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';

export type StripeEventsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription' | 'readSession' | 'subscriptionOf'>;
  /** Those of ours that a customer pays, and that have not ended. */
  subscriptionsOfCustomer: (customerId: string) => Promise<readonly string[]>;
  unclaimedRefundDays: number;
  logger: Pick<Logger, 'warn'>;
}>;

/** Events after which a subscription may have changed; the others are only stored. The invoice says what a charge says. */
const relevant =
  /^(?:checkout\.session|customer\.subscription|invoice|refund|subscription_schedule|payment_method)\.|^charge\.(?:refund|dispute)|^customer\.updated$/;
/** They say who pays and with what. */
const ofCustomer = /^(?:payment_method\.|customer\.updated$)/;
/** Events that concern more than the newest invoice. */
const ofAllMoney = /^(?:charge\.(?:refund|dispute)|refund)|^invoice\.(?:voided|marked_uncollectible)/;
const onlyReminds = /^(?:invoice\.upcoming|customer\.subscription\.trial_will_end)$/;

type ReceivedEvent = SealedEvent<StripeEventReceived>;
type Received = ReceivedEvent['data'];

/** Whether something may have changed that the product records. */
const concerns = ({ data: { type } }: RecordedEvent<ReceivedEvent>): boolean =>
  relevant.test(type) && !onlyReminds.test(type);

/** Another product of the same account at Stripe may have sessions, too. */
const sessionDispatches = async (
  { status, intentId }: SessionSnapshot,
  { read }: Pick<EffectContext, 'read'>,
): Promise<readonly Dispatch[]> => {
  if (status !== 'expired' || intentId === null) return [];
  const stream = checkoutStream(intentId);
  const checkout = await read(checkouts, stream);
  return checkout.status === 'none' ? [] : [dispatch(checkouts, stream, { type: 'ExpireCheckout' })];
};

const subscriptionIdsOf = async (
  data: Received,
  session: SessionSnapshot | undefined,
  ports: StripeEventsPorts,
): Promise<readonly string[]> => {
  const { type, subscriptionId, invoiceId, paymentIntentId, chargeId, objectId, customerId } = data;
  if (ofCustomer.test(type)) return customerId === null ? [] : ports.subscriptionsOfCustomer(customerId);
  const known = subscriptionId ?? session?.subscriptionId ?? null;
  if (known !== null) return [known];
  const object = session ? null : (invoiceId ?? paymentIntentId ?? chargeId ?? objectId);
  const found = object === null ? null : await ports.stripe.subscriptionOf(object);
  if (found === undefined) {
    ports.logger.warn(
      { type, object },
      'Stripe sent an object of an unknown kind; the next sweep reads what it changed',
    );
  }
  return found ? [found] : [];
};

/** What events say about one subscription. */
type Hints = { readonly received: Received[]; sessionId: string | null };

const readNewest = async (
  subscriptionId: string,
  { received }: Hints,
  { stripe }: StripeEventsPorts,
  read: ReadStream,
): Promise<ObservedSubscription | undefined> => {
  const scope = received.some(({ type }) => ofAllMoney.test(type)) ? 'all' : 'newest';
  const snapshot = await observeSubscription(stripe, read, subscriptionId, scope);
  const latest = snapshot?.subscription.latestInvoiceId ?? null;
  const isOfOlderInvoice = received.some(({ invoiceId }) => invoiceId !== null && invoiceId !== latest);
  return scope === 'newest' && isOfOlderInvoice
    ? observeSubscription(stripe, read, subscriptionId, 'all')
    : snapshot;
};

/** Reads each session and each subscription once that the events are about. */
const handleEvents = async (
  events: readonly RecordedEvent<ReceivedEvent>[],
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
      if (session) dispatches.push(...(await sessionDispatches(session, { read })));
    }
    const session = sessionId === null ? undefined : sessions.get(sessionId);
    for (const subscriptionId of await subscriptionIdsOf(data, session, ports)) {
      const hints = subscriptions.get(subscriptionId) ?? { received: [], sessionId: null };
      hints.received.push(data);
      hints.sessionId = session?.sessionId ?? hints.sessionId;
      subscriptions.set(subscriptionId, hints);
    }
  }
  for (const [subscriptionId, hints] of subscriptions) {
    const snapshot = await readNewest(subscriptionId, hints, ports, read);
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
  defineEffect<ReceivedEvent>({
    name: 'stripe-events',
    afterReplay: 'run',
    types: { StripeEventReceived: true },
    form: 'sealed',
    keyOf: ({ data: { customerId, subscriptionId, chargeId, objectId, eventId } }) =>
      customerId ?? subscriptionId ?? chargeId ?? objectId ?? eventId,
    concerns,
    run: (event, context) => handleEvents([event], context, ports),
    runTogether: (events, context) => handleEvents(events, context, ports),
  });
