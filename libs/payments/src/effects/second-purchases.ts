import {
  defineEffect,
  dispatch,
  readEvents,
  WaitingFor,
  type Effect,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
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

/**
 * An account that pays in two windows at once has the first purchase; the second one goes back. What was claimed or handed
 * over by a person is left to the queue of two subscriptions.
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
      for (const other of await accessSubscriptionsOf(tapedeck, accountId)) {
        if (other === subscriptionId || !(await wasClaimedBefore(other, event, ports))) continue;
        const command = { type: 'ReturnPurchase', reason: 'second-purchase', now } as const;
        return [dispatch(subscriptions, subscriptionStream(subscriptionId), command)];
      }
      return [];
    },
  });
