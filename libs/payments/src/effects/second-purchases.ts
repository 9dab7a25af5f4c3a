import {
  defineEffect,
  dispatch,
  readEvents,
  WaitingFor,
  type Dispatch,
  type Effect,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import type pg from 'pg';
import { subscriptions } from '../domain/decide-subscription.ts';
import {
  subscriptionEvents,
  subscriptionStream,
  type PaymentClaimed,
} from '../domain/subscription-events.ts';
import { accessSubscriptionsOf, type AccessSubscription } from '../projections/subscriptions.ts';

export type SecondPurchasePorts = Readonly<{
  store: Pick<EventStore, 'readStream'>;
  /** Those that give the account access. @throws WaitingFor before the position is part of what is known */
  accessSubscriptions: (account: AccountId, from: Position) => Promise<readonly AccessSubscription[]>;
}>;

const readModelMs = 5_000;

/** From the read model. */
export const accessSubscriptionsIn =
  (pool: pg.Pool): SecondPurchasePorts['accessSubscriptions'] =>
  async (account, from) => {
    if (!(await waitForPosition(pool, 'subscriptions', from, readModelMs)))
      throw new WaitingFor('the read model of subscriptions');
    return accessSubscriptionsOf(pool, account);
  };

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
      if (event.data.proof !== 'checkout') return [];
      const others = await ports.accessSubscriptions(accountId, event.position);
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
