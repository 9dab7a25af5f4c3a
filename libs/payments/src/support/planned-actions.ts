import { createHash } from 'node:crypto';
import type { EventStore, ReadStream } from '@tapedeck/eventing';
import { readEvents } from '@tapedeck/eventing';
import { accountStream, identityEvents } from '@tapedeck/identity/events';
import { accountId, DomainError, type AccountId } from '@tapedeck/kernel';
import type { StripeReads } from '@tapedeck/stripe/port';
import type pg from 'pg';
import { checkouts, checkoutStream } from '../domain/checkout.ts';
import { subscriptions } from '../domain/decide-subscription.ts';
import {
  planAction,
  planText,
  type ActionPlan,
  type Handover,
  type PlanOptions,
} from '../domain/money-actions/plan-action.ts';
import { subscriptionStream, type MoneyAction } from '../domain/subscription-events.ts';
import { contentText, type Subscription } from '../domain/subscription.ts';
import { liveSubscriptionsOf } from '../projections/subscriptions.ts';
import type { WantedAction } from '../wire/money.ts';
import type { AccessAfter, MemberAccess } from './access-after.ts';

export type Wanted = Readonly<{
  /** The member on whose page it is wanted. */
  accountId: AccountId;
  subscriptionId: string;
  action: WantedAction;
}>;

export type AccessChange = Readonly<{ accountId: AccountId; before: MemberAccess; after: MemberAccess }>;

/** What an action would do, to money and to access. */
export type PlannedAction = Readonly<{
  action: MoneyAction;
  plan: ActionPlan;
  state: Subscription;
  options: PlanOptions;
  access: readonly AccessChange[];
  /** Of all of it: equal for the same outcome. */
  hash: string;
}>;

export type PlannedActionPorts = Readonly<{
  pool: pg.Pool;
  store: Pick<EventStore, 'readStream'>;
  read: ReadStream;
  stripe: Pick<StripeReads, 'openInvoice'>;
  accessAfter: AccessAfter;
  limit: number;
}>;

export type PlannedActions = (wanted: Wanted, at: string) => Promise<PlannedAction>;

/** For Nest: the `PlannedActions`. */
export const PLANNED_ACTIONS = Symbol('PlannedActions');

const invoiceNotOpen = (): DomainError =>
  new DomainError('conflict', 'INVOICE_NOT_OPEN', 'This invoice is not open any more: reload the page.');

const noAccount = (): DomainError =>
  new DomainError(
    'not-found',
    'ACCOUNT_NOT_FOUND',
    'There is no such account, or it was deleted: search for the member again.',
  );

/** With what only Stripe knows. */
const actionOf = async (
  { accountId: account, action }: Wanted,
  { stripe }: PlannedActionPorts,
): Promise<MoneyAction> => {
  switch (action.kind) {
    case 'retry': {
      const open = await stripe.openInvoice(action.invoiceId);
      if (!open) throw invoiceNotOpen();
      return { ...action, amount: open.amount };
    }
    case 'attach':
      return { kind: 'attach', toAccountId: account };
    case 'transfer':
      return { kind: 'transfer', toAccountId: accountId(action.toAccountId) };
    default:
      return action;
  }
};

const assertExists = async (account: AccountId, { store }: PlannedActionPorts): Promise<void> => {
  const events = await readEvents(store, accountStream(account), identityEvents);
  if (events.length === 0 || events.some(({ type }) => type === 'AccountForgotten')) throw noAccount();
};

/** What the rules of a transfer ask of the checkout and of the account that gets the purchase. */
const handoverOf = async (
  action: MoneyAction,
  { owner, observed }: Subscription,
  ports: PlannedActionPorts,
): Promise<Handover | null> => {
  if (action.kind !== 'attach' && action.kind !== 'transfer') return null;
  await assertExists(action.toAccountId, ports);
  const intentId = owner?.intentId ?? observed?.intentId;
  if (!intentId) return null;
  const checkout = await ports.read(checkouts, checkoutStream(intentId));
  if (checkout.status === 'none') return null;
  const live = await liveSubscriptionsOf(ports.pool, action.toAccountId);
  const hasOtherSubscription = live.some((id) => id !== observed?.subscriptionId);
  return { intentId, emailHash: checkout.begun.emailHash, hasOtherSubscription };
};

const accessChanges = async (
  { entitlements }: ActionPlan,
  at: string,
  { accessAfter }: PlannedActionPorts,
): Promise<readonly AccessChange[]> => {
  const accounts = [...new Set(entitlements.map((entitlement) => entitlement.accountId))];
  return Promise.all(
    accounts.map(async (account) => {
      const own = entitlements.filter((entitlement) => entitlement.accountId === account);
      return { accountId: account, ...(await accessAfter(account, own, at)) };
    }),
  );
};

/** Computes actions of support by what is recorded now, for an instant. */
export const plannedActions =
  (ports: PlannedActionPorts): PlannedActions =>
  async (wanted, at) => {
    const { accountId: account, subscriptionId } = wanted;
    const state = await ports.read(subscriptions, subscriptionStream(subscriptionId));
    const action = await actionOf(wanted, ports);
    const handover = await handoverOf(action, state, ports);
    const options = { accountId: account, at, limit: ports.limit, handover };
    const plan = planAction(action, state, options);
    const access = await accessChanges(plan, at, ports);
    const content = `${contentText(action)}\n${planText(plan)}\n${contentText(access)}`;
    const hash = createHash('sha256').update(content).digest('base64url');
    return { action, plan, state, options, access, hash };
  };
