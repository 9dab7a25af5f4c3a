import {
  commandContext,
  isEventOf,
  type Dispatch,
  type EventStore,
  type ReadStream,
  type RecordedEvent,
} from '@tapedeck/eventing';
import {
  pendingEvents,
  type HandledAgain,
  type PendingEventView,
  type ShadowCommand,
  type ShadowOptions,
} from '@tapedeck/eventing/reactions';
import { accountId, commandId, derivedId, DomainError, fixedClock, type CommandId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Pool } from 'pg';
import type { ReplayTarget } from '../domain/replay.ts';
import { membershipStream } from '@tapedeck/membership/events';
import { eventOfBody, receivingCommand } from '@tapedeck/stripe/inbox';
import { recordSnapshot } from '@tapedeck/payments/reactions';
import { checkoutStream, claimStream, subscriptionStream } from '@tapedeck/payments/events';
import { stripeEvents, stripeEventStream, type StripeEventReceived } from '@tapedeck/stripe/events';
import { outsideEffects, type OutsideWork } from './outside-work.ts';
import type { ReplayRequest, ReplaySubjects } from './replay-subjects.ts';
import type { ReplayStripe } from './stripe-at.ts';

/** What a replay begins with. */
export type ReplayInput = Readonly<{
  commands: readonly ShadowCommand[];
  again: readonly HandledAgain[];
  /** Pending events that are handled again; they are tried again when the replay is applied. */
  released: readonly PendingEventView[];
  /** Requests to Stripe and mails that are parked or held. */
  outside: readonly OutsideWork[];
  /** All events of the target, with sealed personal fields, by which read models are compared. */
  history: readonly RecordedEvent[];
}>;

export type InputPorts = Readonly<{
  store: EventStore;
  databases: Databases;
  keys: ShadowOptions['keys'];
  stripe: ReplayStripe;
  unclaimedRefundDays: number;
}>;

type Root = Readonly<{ id: CommandId; dispatch: Dispatch }>;
type Received = StripeEventReceived['data'];

const isReceived = isEventOf(stripeEvents);

/** Stripe lists events of 30 days. */
const listedMs = 30 * 86_400_000;

const unfit = (text: string): DomainError => new DomainError('unprocessable', 'REPLAY_TARGET_UNFIT', text);

/** @throws DomainError REPLAY_TARGET_UNFIT for a window */
const subjectsIn = (subjects: ReplaySubjects | null): ReplaySubjects => {
  if (subjects) return subjects;
  throw unfit(
    'A window of time only says which events of Stripe to fetch: choose a member or a subscription.',
  );
};

/** Of subscriptions, checkouts and members; events of Stripe have streams of their own. */
const streamsOf = ({ subscriptions, intents, accounts }: ReplaySubjects): readonly string[] => [
  ...subscriptions.map(subscriptionStream),
  ...intents.map((id) => checkoutStream(id)),
  ...accounts.flatMap((id) => [claimStream(accountId(id)), membershipStream(accountId(id))]),
];

const maxPending = 10_000;

/**
 * Events of the target that wait, have failed or are parked, the oldest first. What leaves the product is kept apart: a
 * request or mail that still is tried by itself needs nobody.
 */
const released = async (
  { databases: { tapedeck: pool }, store }: InputPorts,
  target: ReplayTarget,
  subjects: ReplaySubjects,
): Promise<Pick<ReplayInput, 'released' | 'again' | 'outside'>> => {
  const all = await pendingEvents(pool, { limit: maxPending });
  const own = new Set(target.kind === 'event' ? [] : streamsOf(subjects));
  const found: Readonly<{ event: RecordedEvent; pending: PendingEventView }>[] = [];
  for (const pending of all) {
    const { stream, streamVersion: version, type } = pending;
    if (!own.has(stream) && !(type in stripeEvents)) continue;
    const [event] = await store.readStream(stream, { from: version, upTo: version });
    if (event) found.push({ event, pending });
  }
  const received = found.flatMap(({ event }) => (isReceived(event) ? [event.data] : []));
  const chosen = new Set(
    (target.kind === 'event'
      ? received.filter(({ eventId }) => eventId === target.eventId)
      : concerning(received, subjects)
    ).map(({ eventId }) => stripeEventStream(eventId)),
  );
  const concerned = found.filter(({ event: { stream } }) => own.has(stream) || chosen.has(stream));
  const again = concerned.filter(({ pending: { reaction } }) => outsideEffects[reaction] === undefined);
  return {
    released: again.map(({ pending }) => pending),
    again: again.map(({ event, pending: { reaction } }) => ({ event, reaction })),
    outside: concerned.flatMap(({ event, pending }) => {
      const kind = outsideEffects[pending.reaction];
      return kind === undefined || pending.state !== 'parked' ? [] : [{ kind, event, pending }];
    }),
  };
};

const byPosition = (a: RecordedEvent, b: RecordedEvent): number => (a.position < b.position ? -1 : 1);

const wholeHistory = async (
  store: EventStore,
  streams: readonly string[],
): Promise<Pick<ReplayInput, 'again' | 'history'>> => {
  const read = async (form: 'current' | 'sealed'): Promise<readonly RecordedEvent[]> =>
    (await Promise.all(streams.map((stream) => store.readStream(stream, { form })))).flat().sort(byPosition);
  const [current, history] = await Promise.all([read('current'), read('sealed')]);
  return { again: current.map((event) => ({ event })), history };
};

const isAbout = (
  event: Received,
  { subscriptions, customers, intents, sessions }: ReplaySubjects,
): boolean => {
  const isIn = (ids: readonly string[], id: string | null): boolean => id !== null && ids.includes(id);
  return (
    isIn(subscriptions, event.subscriptionId) ||
    isIn(customers, event.customerId) ||
    isIn(intents, event.intentId) ||
    isIn(sessions, event.checkoutSessionId)
  );
};

/** Those about the target: some name only a customer or a subscription that the others bring. */
const concerning = (events: readonly Received[], subjects: ReplaySubjects | null): readonly Received[] => {
  if (!subjects) return events;
  const found = events.filter((event) => isAbout(event, subjects));
  const present = (ids: readonly (string | null)[]): readonly string[] => [
    ...new Set(ids.filter((id) => id !== null)),
  ];
  const known: ReplaySubjects = {
    ...subjects,
    customers: present([...subjects.customers, ...found.map(({ customerId }) => customerId)]),
    subscriptions: present([...subjects.subscriptions, ...found.map(({ subscriptionId }) => subscriptionId)]),
  };
  const isSame =
    known.customers.length === subjects.customers.length &&
    known.subscriptions.length === subjects.subscriptions.length;
  return isSame ? found : concerning(events, known);
};

const listedEvents = async (
  stripe: ReplayStripe,
  target: ReplayTarget,
  subjects: ReplaySubjects | null,
  at: string,
): Promise<readonly Received[]> => {
  const toReceived = (body: string): readonly Received[] => {
    const event = eventOfBody(body);
    return event ? [{ ...event, source: 'replay' }] : [];
  };
  if (target.kind === 'event') {
    const found = await stripe.readEvent(target.eventId);
    if (found) return toReceived(found.body);
    throw unfit(`Stripe has no event ${target.eventId}: it keeps events for 30 days.`);
  }
  const oldest = new Date(Date.parse(at) - listedMs).toISOString();
  const isWindow = target.kind === 'window';
  const since = isWindow && target.from > oldest ? target.from : oldest;
  const until = isWindow ? target.to : at;
  const found: Received[] = [];
  // Stripe cannot list the events of one customer: of everybody's, a month is too much, and those without delivery are few.
  for await (const { body } of stripe.listEvents({ since, until, undeliveredOnly: !isWindow }))
    found.push(...toReceived(body).filter(({ createdAt }) => createdAt <= until));
  return concerning(found, subjects);
};

const unknownOf = async (pool: Pool, events: readonly Received[]): Promise<readonly Received[]> => {
  const { rows } = await pool.query<{ event_id: string }>(
    'select event_id from stripe_inbox where event_id = any($1)',
    [events.map(({ eventId }) => eventId)],
  );
  const known = new Set(rows.map(({ event_id: id }) => id));
  return events.filter(({ eventId }) => !known.has(eventId));
};

/** Without its body when its buyer was deleted: what happened counts, and the person is not stored. */
const withoutForgotten = async (
  keys: InputPorts['keys'],
  events: readonly Received[],
): Promise<readonly Received[]> => {
  const found = await keys.keysOf([...new Set(events.map(({ personalSubject }) => personalSubject))]);
  return events.map((event) =>
    found.get(event.personalSubject) === 'forgotten' ? { ...event, body: null } : event,
  );
};

/** Puts events of Stripe on the tape that are not there, the oldest first. */
const refetch = async (
  { databases, keys, stripe }: InputPorts,
  target: ReplayTarget,
  subjects: ReplaySubjects | null,
  at: string,
): Promise<readonly Root[]> => {
  const listed = await listedEvents(stripe, target, subjects, at);
  const events = await withoutForgotten(keys, await unknownOf(databases.tapedeck, listed));
  return events.map(receivingCommand);
};

/** Records what Stripe says of the subscriptions now. */
const reread = async (
  { stripe, unclaimedRefundDays }: InputPorts,
  { subscriptions, sessions }: ReplaySubjects,
  read: ReadStream,
  { replayId, at }: ReplayRequest,
): Promise<readonly Root[]> => {
  const opened = await Promise.all(sessions.map((id) => stripe.readSession(id)));
  const found = opened.flatMap((session) => session?.subscriptionId ?? []);
  const dispatches: Dispatch[] = [];
  for (const id of new Set([...subscriptions, ...found])) {
    const snapshot = await stripe.readSubscription(id, 'all');
    const session = opened.find((one) => one?.subscriptionId === id);
    const options = { unclaimedRefundDays, isSweep: false, sessionId: session?.sessionId ?? null, now: at };
    if (snapshot) dispatches.push(...(await recordSnapshot(snapshot, read, options)));
  }
  return dispatches.map((one, index) => ({
    id: commandId(derivedId('replay', replayId, String(index))),
    dispatch: one,
  }));
};

const none: ReplayInput = { commands: [], again: [], released: [], outside: [], history: [] };

/** @throws DomainError REPLAY_TARGET_UNFIT when the mode needs another target, and what Stripe throws. */
export const replayInput = async (
  ports: InputPorts,
  request: ReplayRequest,
  subjects: ReplaySubjects | null,
  read: ReadStream,
): Promise<ReplayInput> => {
  const { mode, target, at, replayId, actor } = request;
  const context = { actor, clock: fixedClock(Date.parse(at)), correlationId: replayId, replayId };
  const commandsOf = (roots: readonly Root[]): ReplayInput => ({
    ...none,
    commands: roots.map(({ id, dispatch: one }) => ({
      dispatch: one,
      context: commandContext({ ...context, commandId: id }),
    })),
  });
  switch (mode) {
    case 'retry':
      return { ...none, ...(await released(ports, target, subjectsIn(subjects))) };
    case 'rebuild':
      return {
        ...none,
        ...(await wholeHistory(ports.store, streamsOf(subjectsIn(subjects)))),
      };
    case 'reread':
      return commandsOf(await reread(ports, subjectsIn(subjects), read, request));
    case 'refetch':
      return commandsOf(await refetch(ports, target, subjects, at));
    default:
      return mode satisfies never;
  }
};
