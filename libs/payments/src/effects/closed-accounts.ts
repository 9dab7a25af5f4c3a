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
import { accountStream, identityEvents, type AccountForgotten } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { customerSubject } from '@tapedeck/stripe/events';
import { subscriptions } from '../domain/decide-subscription.ts';
import { intentSubject } from '../domain/checkout.ts';
import {
  subscriptionStream,
  subscriptionSubject,
  type BuyerForgotten,
  type PaymentClaimed,
  type PaymentTransferred,
} from '../domain/subscription-events.ts';
import type { StripeRequests } from '@tapedeck/stripe/port';

export type ClosedAccountPorts = Readonly<{
  stripe: Pick<StripeRequests, 'forgetCustomer'>;
  store: Pick<EventStore, 'readStream' | 'forget'>;
  databases: Databases;
}>;

const readModelMs = 5_000;

const subscriptionsOfAccount = `
  select distinct subscription_id from entitlements where account_id = $1 order by subscription_id`;

const ownedBy = async (
  { data: { accountId }, position }: RecordedEvent<AccountForgotten>,
  { databases: { tapedeck } }: ClosedAccountPorts,
): Promise<readonly string[]> => {
  if (!(await waitForPosition(tapedeck, 'subscriptions', position, readModelMs)))
    throw new WaitingFor('the read model of subscriptions');
  const { rows } = await tapedeck.query<{ subscription_id: string }>(subscriptionsOfAccount, [accountId]);
  return rows.map(({ subscription_id }) => subscription_id);
};

const closing = (subscriptionId: string, accountId: AccountId): Dispatch =>
  dispatch(subscriptions, subscriptionStream(subscriptionId), { type: 'CloseAccount', accountId });

const isClosed = async (account: AccountId, { store }: ClosedAccountPorts): Promise<boolean> =>
  (await readEvents(store, accountStream(account), identityEvents)).some(
    ({ type }) => type === 'AccountForgotten',
  );

/** Deletes what identifies the buyer, at Stripe and on the tape. */
const forgetBuyer = async (
  { subscriptionId, customerId, intentId }: BuyerForgotten['data'],
  key: string,
  { stripe, store }: ClosedAccountPorts,
): Promise<void> => {
  await stripe.forgetCustomer({ key, customerId });
  const subjects = [
    subscriptionSubject(subscriptionId),
    customerSubject(customerId),
    intentSubject(intentId),
  ];
  for (const subject of subjects) await store.forget(subject);
};

type Handled = AccountForgotten | PaymentClaimed | PaymentTransferred | BuyerForgotten;

/**
 * A deleted account pays nothing more, also when a payment becomes known only after its deletion. `BuyerForgotten` is on
 * the subscription's stream before the keys are deleted: from then on nothing personal is recorded there.
 */
export const closedAccountsEffect = (ports: ClosedAccountPorts): Effect =>
  defineEffect<Handled>({
    name: 'payments-of-closed-accounts',
    // `BuyerForgotten` removes name and address at Stripe.
    afterReplay: ({ type }) => (type === 'BuyerForgotten' ? 'hold' : 'run'),
    types: { AccountForgotten: true, PaymentClaimed: true, PaymentTransferred: true, BuyerForgotten: true },
    run: async (event, { key }) => {
      switch (event.type) {
        case 'AccountForgotten':
          return (await ownedBy(event, ports)).map((id) => closing(id, event.data.accountId));
        case 'BuyerForgotten':
          await forgetBuyer(event.data, key, ports);
          return [];
        case 'PaymentClaimed':
        case 'PaymentTransferred': {
          const { data } = event;
          const account = 'toAccountId' in data ? data.toAccountId : data.accountId;
          return (await isClosed(account, ports)) ? [closing(data.subscriptionId, account)] : [];
        }
        default:
          return event satisfies never;
      }
    },
  });
