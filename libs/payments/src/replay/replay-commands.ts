import { commandTarget, dispatch, type Dispatch, type ReadStream } from '@tapedeck/eventing';
import type { Pool } from 'pg';
import type { ReplayTarget } from '../domain/replay-events.ts';
import { stripeEventDecider } from '../domain/stripe-event.ts';
import { recordReading } from '../effects/record-reading.ts';
import { stripeEventEvents, stripeEventStream, type StripeEventReceived } from '../events.ts';
import { eventOfBody } from '../stripe/event-body.ts';
import type { ReplaySubjects } from './replay-subjects.ts';
import type { ReplayStripe } from './stripe-at.ts';

const stripeEvents = commandTarget(stripeEventDecider, stripeEventEvents);

/** Stripe lists events of 30 days. */
const listedMs = 30 * 86_400_000;

type Received = StripeEventReceived['data'];

const concerns = (event: Received, subjects: ReplaySubjects | null): boolean => {
  if (!subjects) return true;
  const { subscriptions, customers, intents, sessions } = subjects;
  const isIn = (ids: readonly string[], id: string | null): boolean => id !== null && ids.includes(id);
  return (
    isIn(subscriptions, event.subscriptionId) ||
    isIn(customers, event.customerId) ||
    isIn(intents, event.intentId) ||
    isIn(sessions, event.checkoutSessionId)
  );
};

const unknownOf = async (pool: Pool, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ event_id: string }>(
    'select event_id from stripe_inbox where event_id = any($1)',
    [ids],
  );
  const known = new Set(rows.map(({ event_id: id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
};

const listed = async (
  stripe: ReplayStripe,
  target: ReplayTarget,
  at: string,
): Promise<readonly Received[]> => {
  const oldest = new Date(Date.parse(at) - listedMs).toISOString();
  const since = target.kind === 'window' && target.from > oldest ? target.from : oldest;
  const until = target.kind === 'window' ? target.to : at;
  const found: Received[] = [];
  const bodies =
    target.kind === 'event'
      ? oneEvent(stripe, target.eventId)
      : stripe.listEvents({ since, undeliveredOnly: false });
  for await (const { body } of bodies) {
    const event = eventOfBody(body);
    if (event && (target.kind === 'event' || event.createdAt <= until)) {
      found.push({ ...event, source: 'replay' });
    }
  }
  return found;
};

async function* oneEvent(stripe: ReplayStripe, eventId: string): ReturnType<ReplayStripe['listEvents']> {
  const event = await stripe.readEvent(eventId);
  if (event) yield event;
}

/** Puts events of Stripe on the tape that are not there, the oldest first. */
export const refetchCommands = async (
  { stripe, pool }: Readonly<{ stripe: ReplayStripe; pool: Pool }>,
  target: ReplayTarget,
  subjects: ReplaySubjects | null,
  at: string,
): Promise<readonly Dispatch[]> => {
  const events = (await listed(stripe, target, at)).filter(
    (event) => target.kind === 'event' || concerns(event, subjects),
  );
  const unknown = await unknownOf(
    pool,
    events.map(({ eventId }) => eventId),
  );
  return events
    .filter(({ eventId }) => unknown.has(eventId))
    .map((event) =>
      dispatch(stripeEvents, stripeEventStream(event.eventId), { type: 'ReceiveStripeEvent', event }),
    );
};

/** Records what Stripe says of the subscriptions now. */
export const rereadCommands = async (
  { stripe, unclaimedRefundDays }: Readonly<{ stripe: ReplayStripe; unclaimedRefundDays: number }>,
  { subscriptions, sessions }: ReplaySubjects,
  read: ReadStream,
  now: string,
): Promise<readonly Dispatch[]> => {
  const opened = await Promise.all(sessions.map((id) => stripe.readSession(id)));
  const found = opened.flatMap((session) => session?.subscriptionId ?? []);
  const commands: Dispatch[] = [];
  for (const id of new Set([...subscriptions, ...found])) {
    const reading = await stripe.readSubscription(id, 'all');
    const session = opened.find((one) => one?.subscriptionId === id);
    const options = { unclaimedRefundDays, isSweep: false, sessionId: session?.sessionId ?? null, now };
    if (reading) commands.push(...(await recordReading(reading, read, options)));
  }
  return commands;
};
