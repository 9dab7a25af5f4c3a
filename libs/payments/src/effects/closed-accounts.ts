import {
  defineEffect,
  dispatch,
  readEvents,
  WaitingFor,
  type Dispatch,
  type Effect,
  type EffectContext,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { accountStream, identityEvents, type AccountForgotten } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { customerSubject } from '@tapedeck/stripe/events';
import { subscriptions } from '../domain/decide-subscription.ts';
import { buyers, buyerStream } from '../domain/buyer.ts';
import { checkouts, checkoutStream, intentSubject } from '../domain/checkout.ts';
import {
  subscriptionStream,
  subscriptionSubject,
  type BuyerForgotten,
  type PaymentClaimed,
  type PaymentTransferred,
} from '../domain/subscription-events.ts';
import { allOfCustomer } from '../projections/customers.ts';
import { subscriptionsOf } from '../projections/subscriptions.ts';
import type { StripeRequests } from '@tapedeck/stripe/port';

export type ClosedAccountPorts = Readonly<{
  stripe: Pick<StripeRequests, 'forgetCustomer' | 'expireSession'>;
  store: Pick<EventStore, 'readStream' | 'forget'>;
  databases: Databases;
}>;

const readModelMs = 5_000;

const waitForSubscriptions = async (
  { position }: Pick<RecordedEvent, 'position'>,
  { databases: { tapedeck } }: ClosedAccountPorts,
): Promise<void> => {
  if (!(await waitForPosition(tapedeck, 'subscriptions', position, readModelMs)))
    throw new WaitingFor('the read model of subscriptions');
};

type Closing = Readonly<{ accountId: AccountId; isLate: boolean; now: string }>;

const closing = (subscriptionId: string, close: Closing): Dispatch =>
  dispatch(subscriptions, subscriptionStream(subscriptionId), { type: 'CloseAccount', ...close });

/** Nothing more can be paid in the windows that the account has left open. */
const expireCheckouts = async (
  account: AccountId,
  { read }: Pick<EffectContext, 'read'>,
  { stripe }: ClosedAccountPorts,
): Promise<readonly Dispatch[]> => {
  const { open } = await read(buyers, buyerStream(account));
  const dispatches: Dispatch[] = [];
  for (const intentId of open) {
    const checkout = await read(checkouts, checkoutStream(intentId));
    if (checkout.status !== 'open') continue;
    const { sessionId } = checkout;
    await stripe.expireSession({ key: `expire-${sessionId}`, sessionId });
    dispatches.push(dispatch(checkouts, checkoutStream(intentId), { type: 'ExpireCheckout' }));
  }
  return dispatches;
};

/** When the account was deleted; undefined while it is not. */
const deletionOf = async (account: AccountId, { store }: ClosedAccountPorts): Promise<Position | undefined> =>
  (await readEvents(store, accountStream(account), identityEvents)).find(
    ({ type }) => type === 'AccountForgotten',
  )?.position;

/**
 * Whether a customer at Stripe is that of an account that is not deleted. It is the payer's; where no payer has proved to be one,
 * the owner's.
 */
const hasAccount = async (
  customerId: string,
  { read }: Pick<EffectContext, 'read'>,
  ports: ClosedAccountPorts,
): Promise<boolean> => {
  for (const id of await allOfCustomer(ports.databases.tapedeck, customerId)) {
    const { payer, owner } = await read(subscriptions, subscriptionStream(id));
    const account = (payer ?? owner)?.accountId;
    if (account !== undefined && (await deletionOf(account, ports)) === undefined) return true;
  }
  return false;
};

/** Deletes what identifies the buyer, at Stripe and on the tape; of a customer of another account only what is ours. */
const forgetBuyer = async (
  event: RecordedEvent<BuyerForgotten>,
  { key, read }: Pick<EffectContext, 'key' | 'read'>,
  ports: ClosedAccountPorts,
): Promise<void> => {
  const { stripe, store } = ports;
  const { subscriptionId, customerId, intentId } = event.data;
  await waitForSubscriptions(event, ports);
  const isKept = await hasAccount(customerId, { read }, ports);
  if (!isKept) await stripe.forgetCustomer({ key, customerId });
  const subjects = [
    subscriptionSubject(subscriptionId),
    ...(isKept ? [] : [customerSubject(customerId)]),
    intentSubject(intentId),
  ];
  for (const subject of subjects) await store.forget(subject);
};

type Handled = AccountForgotten | PaymentClaimed | PaymentTransferred | BuyerForgotten;

/**
 * A deleted account pays nothing more, for itself or for another account, also when a payment becomes known only after its
 * deletion. `BuyerForgotten` is on the subscription's stream before the keys are deleted: from then on nothing personal is
 * recorded there.
 */
export const closedAccountsEffect = (ports: ClosedAccountPorts): Effect =>
  defineEffect<Handled>({
    name: 'payments-of-closed-accounts',
    // `BuyerForgotten` removes name and address at Stripe.
    afterReplay: ({ type }) => (type === 'BuyerForgotten' ? 'hold' : 'run'),
    types: { AccountForgotten: true, PaymentClaimed: true, PaymentTransferred: true, BuyerForgotten: true },
    run: async (event, { key, now, read }) => {
      switch (event.type) {
        case 'AccountForgotten': {
          const close = { accountId: event.data.accountId, isLate: false, now };
          await waitForSubscriptions(event, ports);
          const ids = await subscriptionsOf(ports.databases.tapedeck, close.accountId);
          const closed = ids.map((id) => closing(id, close));
          return [...(await expireCheckouts(close.accountId, { read }, ports)), ...closed];
        }
        case 'BuyerForgotten':
          await forgetBuyer(event, { key, read }, ports);
          return [];
        case 'PaymentClaimed':
        case 'PaymentTransferred': {
          const { data } = event;
          const account = 'toAccountId' in data ? data.toAccountId : data.accountId;
          const deletedAt = await deletionOf(account, ports);
          if (deletedAt === undefined) return [];
          const isLate = deletedAt < event.position;
          return [closing(data.subscriptionId, { accountId: account, isLate, now })];
        }
        default:
          return event satisfies never;
      }
    },
  });
