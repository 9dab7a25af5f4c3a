import {
  defineEffect,
  dispatch,
  readEvents,
  WaitingFor,
  type Dispatch,
  type Effect,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { derivedId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { subscriptions } from '../domain/decide-subscription.ts';
import {
  subscriptionEvents,
  subscriptionStream,
  type PaymentClaimed,
} from '../domain/subscription-events.ts';
import { accessSubscriptionsOf } from '../projections/subscriptions.ts';

export type SecondPurchasePorts = Readonly<{
  store: Pick<EventStore, 'readStream'>;
  databases: Databases;
}>;

const readModelMs = 5_000;

/** Whether the account had claimed another subscription before this claim. */
const wasClaimedBefore = async (
  subscriptionId: string,
  { data: { accountId }, position }: RecordedEvent<PaymentClaimed>,
  { store }: SecondPurchasePorts,
): Promise<boolean> => {
  const events = await readEvents(store, subscriptionStream(subscriptionId), subscriptionEvents);
  return events.some(
    (event) =>
      event.position < position &&
      ((event.type === 'PaymentClaimed' && event.data.accountId === accountId) ||
        (event.type === 'PaymentTransferred' && event.data.toAccountId === accountId)),
  );
};

/** Its payer is not charged again. */
const cancelling = (subscriptionId: string, eventId: string): Dispatch =>
  dispatch(subscriptions, subscriptionStream(subscriptionId), {
    type: 'RequestStripeChange',
    requestId: derivedId('replaced by a purchase', subscriptionId, eventId),
    request: { kind: 'cancel', reason: null },
    comment: null,
    by: null,
  });

/**
 * An account that pays in two windows at once has the first purchase; the second one goes back. One that another person pays
 * is replaced, and ends with its period. What was claimed or handed over by a person is left to the queue of two subscriptions.
 */
export const secondPurchasesEffect = (ports: SecondPurchasePorts): Effect =>
  defineEffect<PaymentClaimed>({
    name: 'second-purchases',
    // Two subscriptions that a replay has brought stand in the queue.
    afterReplay: 'skip',
    begins: 'next',
    types: { PaymentClaimed: true },
    concerns: ({ data }) => data.proof === 'checkout',
    run: async (event, { now }) => {
      const { accountId, subscriptionId } = event.data;
      const { tapedeck } = ports.databases;
      if (event.data.proof !== 'checkout') return [];
      if (!(await waitForPosition(tapedeck, 'subscriptions', event.position, readModelMs)))
        throw new WaitingFor('the read model of subscriptions');
      const others = await accessSubscriptionsOf(tapedeck, accountId);
      const replaced: Dispatch[] = [];
      for (const other of others) {
        if (other.subscriptionId === subscriptionId) continue;
        if (!(await wasClaimedBefore(other.subscriptionId, event, ports))) continue;
        if (!other.isPaidByAnother) {
          const command = { type: 'ReturnPurchase', reason: 'second-purchase', now } as const;
          return [dispatch(subscriptions, subscriptionStream(subscriptionId), command)];
        }
        replaced.push(cancelling(other.subscriptionId, event.id));
      }
      return replaced;
    },
  });
