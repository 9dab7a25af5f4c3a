import { defineProjection, type RecordedEvent, type RowChange, type SealedEvent } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { paidTiers, type BillingPeriod, type PaidTier } from '@tapedeck/plans/contract';
import type pg from 'pg';
import { provesPayment } from '../domain/subscription.ts';
import type {
  ClaimPeriodEnded,
  EntitlementChanged,
  EntitlementPhase,
  PaymentClaimed,
  PaymentTransferred,
  PurchaseUnclaimed,
  SubscriptionObserved,
} from '../domain/subscription-events.ts';

type Read =
  | SubscriptionObserved
  | EntitlementChanged
  | PurchaseUnclaimed
  | PaymentClaimed
  | PaymentTransferred
  | ClaimPeriodEnded;

/** Which subscriptions an account has or had, and what they entitle it to. */
export type EntitlementRow = Readonly<{
  subscription_id: string;
  account_id: string;
  phase: EntitlementPhase;
  tier: PaidTier | null;
  period: BillingPeriod | null;
  is_disputed: boolean;
  changed_at: Date;
}>;

/** The account that owns a purchase now. */
export type OwnerRow = Readonly<{ subscription_id: string; account_id: string }>;

/** The account that has proved to pay it, also after it was handed over: its card, its invoices. */
export type PayerRow = Readonly<{ subscription_id: string; account_id: string; proved_at: Date }>;

/** The customer of each subscription, with or without an owner. */
export type CustomerRow = Readonly<{
  subscription_id: string;
  customer_id: string;
  stripe_status: string;
  /** Of the period that the newest invoice is for, paid or not. */
  period_end: Date;
}>;

/** Paid, and not claimed yet. */
export type UnclaimedRow = Readonly<{
  subscription_id: string;
  intent_id: string;
  tier: PaidTier;
  period: BillingPeriod;
  paid_at: Date;
}>;

const claimChanges = (
  { data, metadata }: RecordedEvent<SealedEvent<PaymentClaimed | PaymentTransferred>>,
  account: AccountId,
): readonly RowChange[] => {
  const key = { subscription_id: data.subscriptionId };
  const owner: RowChange = { op: 'put', table: 'purchase_owners', key, row: { account_id: account } };
  const row = { account_id: account, proved_at: metadata.occurredAt };
  const payer: RowChange = { op: 'put', table: 'purchase_payers', key, row };
  return [
    { op: 'remove', table: 'unclaimed_purchases', key },
    owner,
    ...(provesPayment(data.proof) ? [payer] : []),
  ];
};

const changesOf = (event: RecordedEvent<SealedEvent<Read>>): readonly RowChange[] => {
  const key = { subscription_id: event.data.subscriptionId };
  switch (event.type) {
    case 'SubscriptionObserved': {
      const { customerId, status, periodEnd } = event.data;
      const row = { customer_id: customerId, stripe_status: status, period_end: periodEnd };
      return [{ op: 'put', table: 'subscription_customers', key, row }];
    }
    case 'EntitlementChanged': {
      const { accountId, phase, tier, period, isDisputed } = event.data;
      const changedAt = event.metadata.occurredAt;
      const row = { phase, tier, period, is_disputed: isDisputed, changed_at: changedAt };
      return [{ op: 'put', table: 'entitlements', key: { ...key, account_id: accountId }, row }];
    }
    case 'PurchaseUnclaimed': {
      const { intentId, plan, paidAt } = event.data;
      const row = { intent_id: intentId, tier: plan.tier, period: plan.period, paid_at: paidAt };
      return [{ op: 'put', table: 'unclaimed_purchases', key, row }];
    }
    case 'PaymentClaimed':
      return claimChanges(event, event.data.accountId);
    case 'PaymentTransferred':
      return claimChanges(event, event.data.toAccountId);
    case 'ClaimPeriodEnded':
      return [{ op: 'remove', table: 'unclaimed_purchases', key }];
    default:
      return event satisfies never;
  }
};

/** Subscriptions by account, payer and customer, and purchases that are not claimed. */
export const subscriptions = defineProjection<Read>({
  name: 'subscriptions',
  version: 3,
  database: 'tapedeck',
  replay: {
    isSource: true,
    compares: {
      subscription_customers: 'Subscription',
      entitlements: 'Entitlement',
      purchase_owners: 'Owner of a purchase',
      purchase_payers: 'Payer of a purchase',
      unclaimed_purchases: 'Unclaimed purchase',
    },
  },
  types: {
    SubscriptionObserved: true,
    EntitlementChanged: true,
    PurchaseUnclaimed: true,
    PaymentClaimed: true,
    PaymentTransferred: true,
    ClaimPeriodEnded: true,
  },
  tables: [
    {
      name: 'subscription_customers',
      key: ['subscription_id'],
      columns: {
        subscription_id: 'text not null',
        customer_id: 'text not null',
        stripe_status: 'text not null',
        period_end: 'timestamptz not null',
      },
      indexes: ['(customer_id)'],
    },
    {
      name: 'entitlements',
      key: ['subscription_id', 'account_id'],
      columns: {
        subscription_id: 'text not null',
        account_id: 'uuid not null',
        phase: 'text not null',
        tier: 'text',
        period: 'text',
        is_disputed: 'boolean not null',
        changed_at: 'timestamptz not null',
      },
      indexes: ['(account_id)'],
    },
    {
      name: 'purchase_owners',
      key: ['subscription_id'],
      columns: { subscription_id: 'text not null', account_id: 'uuid not null' },
    },
    {
      name: 'purchase_payers',
      key: ['subscription_id'],
      columns: {
        subscription_id: 'text not null',
        account_id: 'uuid not null',
        proved_at: 'timestamptz not null',
      },
      indexes: ['(account_id)'],
    },
    {
      name: 'unclaimed_purchases',
      key: ['subscription_id'],
      columns: {
        subscription_id: 'text not null',
        intent_id: 'uuid not null',
        tier: 'text not null',
        period: 'text not null',
        paid_at: 'timestamptz not null',
      },
    },
  ],
  fold: (events) => events.flatMap(changesOf),
});

export const noSubscription = (): DomainError =>
  new DomainError('not-found', 'SUBSCRIPTION_NOT_FOUND', 'You have no subscription: choose a plan first.');

const noSuchSubscription = (): DomainError =>
  new DomainError(
    'not-found',
    'SUBSCRIPTION_NOT_FOUND',
    'Your account has no such subscription: reload the page.',
  );

/** Those that entitle their owner to something, or may. */
const livePhases: readonly EntitlementPhase[] = ['pending', 'active', 'past-due', 'suspended'];

/** The order stays when one of them is renewed or cancelled: the screen and the next request mean the same one. */
const liveSql = `
  select e.subscription_id, e.phase, e.is_disputed, p.account_id is distinct from e.account_id as is_paid_by_another
    from entitlements e
         join purchase_owners o on o.subscription_id = e.subscription_id and o.account_id = e.account_id
         left join purchase_payers p on p.subscription_id = e.subscription_id
   where e.account_id = $1 and (e.phase = any($2) or e.is_disputed)
   order by is_paid_by_another, e.phase in ('pending', 'suspended'),
            array_position($3::text[], e.tier) desc nulls last, e.subscription_id`;

type LiveRow = Pick<EntitlementRow, 'subscription_id' | 'phase' | 'is_disputed'> &
  Readonly<{ is_paid_by_another: boolean }>;

const liveRows = async (pool: pg.Pool, account: AccountId): Promise<readonly LiveRow[]> =>
  (await pool.query<LiveRow>(liveSql, [account, livePhases, paidTiers])).rows;

/** All subscriptions that the account has or had. */
export const subscriptionsOf = async (pool: pg.Pool, account: AccountId): Promise<readonly string[]> => {
  const { rows } = await pool.query<Pick<EntitlementRow, 'subscription_id'>>(
    'select subscription_id from entitlements where account_id = $1 order by subscription_id',
    [account],
  );
  return rows.map(({ subscription_id }) => subscription_id);
};

export type AccessSubscription = Readonly<{ subscriptionId: string; isPaidByAnother: boolean }>;

/** Those that give the account access, or did until a payment failed. */
export const accessSubscriptionsOf = async (
  pool: pg.Pool,
  account: AccountId,
): Promise<readonly AccessSubscription[]> =>
  (await liveRows(pool, account))
    .filter(({ phase }) => phase === 'active' || phase === 'past-due' || phase === 'suspended')
    .map((row) => ({ subscriptionId: row.subscription_id, isPaidByAnother: row.is_paid_by_another }));

/** Those that have not ended: first what the account pays itself, then what gives access, then by the plan, the highest first. */
export const liveSubscriptionsOf = async (pool: pg.Pool, account: AccountId): Promise<readonly string[]> =>
  (await liveRows(pool, account))
    .filter(({ phase }) => livePhases.includes(phase))
    .map(({ subscription_id }) => subscription_id);

/** The first of them, which the account's changes are about unless it names another one. */
export const liveSubscriptionOf = async (pool: pg.Pool, account: AccountId): Promise<string | undefined> =>
  (await liveSubscriptionsOf(pool, account))[0];

/**
 * The one that is named; without a name the first one.
 * @throws DomainError SUBSCRIPTION_NOT_FOUND, also for the subscription of another account
 */
export const namedSubscriptionOf = async (
  pool: pg.Pool,
  account: AccountId,
  name: string | undefined,
): Promise<string> => {
  const live = await liveSubscriptionsOf(pool, account);
  const found = live.find((id) => name === undefined || id === name);
  if (found !== undefined) return found;
  throw live.length === 0 ? noSubscription() : noSuchSubscription();
};

/** Why the account may not buy a plan: ALREADY_SUBSCRIBED or PAYMENT_DISPUTED; null when it may. */
export const purchaseRefusalOf = async (pool: pg.Pool, account: AccountId): Promise<DomainError | null> => {
  const rows = await liveRows(pool, account);
  if (rows.some(({ is_disputed }) => is_disputed)) {
    return new DomainError(
      'conflict',
      'PAYMENT_DISPUTED',
      'One of your payments is disputed: nothing new can be bought until the dispute is closed.',
    );
  }
  // One whose first payment is missing does not prevent another attempt, and one that another person pays is replaced.
  if (rows.every((row) => row.phase === 'pending' || row.is_paid_by_another)) return null;
  return new DomainError(
    'conflict',
    'ALREADY_SUBSCRIBED',
    'You have a subscription already: change its plan in My Account.',
  );
};

/**
 * Keeps an account from paying twice for the same.
 * @throws DomainError ALREADY_SUBSCRIBED, PAYMENT_DISPUTED
 */
export const assertMayBuy = async (pool: pg.Pool, account: AccountId): Promise<void> => {
  const refusal = await purchaseRefusalOf(pool, account);
  if (refusal) throw refusal;
};
