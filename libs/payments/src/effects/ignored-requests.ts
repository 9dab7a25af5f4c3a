import {
  defineEffect,
  dispatch,
  readEvents,
  type Dispatch,
  type Effect,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { derivedId } from '@tapedeck/kernel';
import {
  operationsEvents,
  type IgnoredEventRetried,
  type ParkedEventIgnored,
} from '@tapedeck/operations/events';
import { subscriptions, type SubscriptionCommand } from '../domain/decide-subscription.ts';
import {
  subscriptionEvents,
  subscriptionStream,
  type StripeWriteRequested,
} from '../domain/subscription-events.ts';
import { stripeRequestsName } from './stripe-requests.ts';

export type IgnoredRequestsPorts = Readonly<{ store: Pick<EventStore, 'readStream'> }>;

type Handled = ParkedEventIgnored | IgnoredEventRetried;

/** Of an event that is restored only its position is known. */
const streamOf = async (
  { type, data, stream }: RecordedEvent<Handled>,
  { store }: IgnoredRequestsPorts,
): Promise<string | undefined> => {
  if (type === 'ParkedEventIgnored') return data.stream;
  const all = await readEvents(store, stream, operationsEvents, { form: 'sealed' });
  const ignored = all.flatMap((event) => (event.type === 'ParkedEventIgnored' ? [event.data] : []));
  return ignored.find(({ position }) => position === data.position)?.stream;
};

const requestOf = async (
  event: RecordedEvent<Handled>,
  ports: IgnoredRequestsPorts,
): Promise<StripeWriteRequested['data'] | undefined> => {
  const stream = await streamOf(event, ports);
  const events = stream === undefined ? [] : await readEvents(ports.store, stream, subscriptionEvents);
  const position = BigInt(event.data.position);
  return events
    .flatMap((one) => (one.type === 'StripeWriteRequested' && one.position === position ? [one.data] : []))
    .at(0);
};

const commandFor = ({ id, type }: RecordedEvent<Handled>, requestId: string): SubscriptionCommand =>
  type === 'ParkedEventIgnored'
    ? { type: 'RefuseStripeRequest', requestId, code: 'IGNORED', fixUrl: null }
    : {
        type: 'RepeatStripeRequest',
        requestId: derivedId('restored stripe write', id),
        repeats: requestId,
        comment: null,
      };

/**
 * A request to Stripe that somebody ignores is over: the member can make another change, and what the product owes waits among
 * the refused requests. Restored, that is requested once more; a change that the member wanted is not made days later.
 */
export const ignoredRequestsEffect = (ports: IgnoredRequestsPorts): Effect =>
  defineEffect<Handled>({
    name: 'ignored-stripe-writes',
    afterReplay: 'run',
    types: { ParkedEventIgnored: true, IgnoredEventRetried: true },
    concerns: ({ data }) => data.subscriber === stripeRequestsName,
    run: async (event): Promise<readonly Dispatch[]> => {
      const request = await requestOf(event, ports);
      if (!request) return [];
      const command = commandFor(event, request.requestId);
      return [dispatch(subscriptions, subscriptionStream(request.subscriptionId), command)];
    },
  });
