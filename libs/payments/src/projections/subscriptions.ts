import { defineProjection, type RecordedEvent, type RowChange, type SealedEvent } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { paidTiers, type BillingPeriod, type PaidTier } from '@tapedeck/plans/contract';
import type pg from 'pg';
import { finalStatuses } from '../domain/subscription.ts';
import type {
  ClaimPeriodEnded,
  ClaimProof,
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

/** Which subscriptions an account has, and what they entitle it to. */
export type EntitlementRow = Readonly<{
  subscription_id: string;
  account_id: string;
  phase: EntitlementPhase;
  tier: PaidTier | null;
  period: BillingPeriod | null;
  is_disputed: boolean;
  /** Null in rows of older events. */
  proof: ClaimProof | null;
  changed_at: Date;
}>;

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

const changeOf = ({ type, data, metadata }: RecordedEvent<SealedEvent<Read>>): RowChange => {
  const key = { subscription_id: data.subscriptionId };
  switch (type) {
    case 'SubscriptionObserved':
      return {
        op: 'put',
        table: 'subscription_customers',
        key,
        row: { customer_id: data.customerId, stripe_status: data.status, period_end: data.periodEnd },
      };
    case 'EntitlementChanged':
      return {
        op: 'put',
        table: 'entitlements',
        key: { ...key, account_id: data.accountId },
        row: {
          phase: data.phase,
          tier: data.tier,
          period: data.period,
          is_disputed: data.isDisputed,
          proof: data.proof ?? null,
          changed_at: metadata.occurredAt,
        },
      };
    case 'PurchaseUnclaimed':
      return {
        op: 'put',
        table: 'unclaimed_purchases',
        key,
        row: {
          intent_id: data.intentId,
          tier: data.plan.tier,
          period: data.plan.period,
          paid_at: data.paidAt,
        },
      };
    case 'PaymentClaimed':
    case 'PaymentTransferred':
    case 'ClaimPeriodEnded':
      return { op: 'remove', table: 'unclaimed_purchases', key };
    default:
      return type satisfies never;
  }
};

/** Subscriptions by account and customer, and purchases that are not claimed. */
export const subscriptions = defineProjection<Read>({
  name: 'subscriptions',
  version: 2,
  database: 'tapedeck',
  replay: {
    isSource: true,
    compares: {
      subscription_customers: 'Subscription',
      entitlements: 'Entitlement',
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
        proof: 'text',
        changed_at: 'timestamptz not null',
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
  fold: (events) => events.map(changeOf),
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
  select subscription_id, phase, is_disputed, proof from entitlements
   where account_id = $1 and (phase = any($2) or is_disputed)
   order by proof is not distinct from 'mailbox', phase in ('pending', 'suspended'),
            array_position($3::text[], tier) desc nulls last, subscription_id`;

type LiveRow = Pick<EntitlementRow, 'subscription_id' | 'phase' | 'is_disputed' | 'proof'>;

const isPaidByAnother = ({ proof }: Pick<EntitlementRow, 'proof'>): boolean => proof === 'mailbox';

const liveRows = async (pool: pg.Pool, account: AccountId): Promise<readonly LiveRow[]> =>
  (await pool.query<LiveRow>(liveSql, [account, livePhases, paidTiers])).rows;

/** Those that a customer pays, and that have not ended; none for a customer of another product. */
export const subscriptionsOfCustomer =
  (pool: pg.Pool) =>
  async (customerId: string): Promise<readonly string[]> => {
    const { rows } = await pool.query<Pick<CustomerRow, 'subscription_id'>>(
      `select subscription_id from subscription_customers
        where customer_id = $1 and stripe_status <> all($2) order by subscription_id`,
      [customerId, finalStatuses],
    );
    return rows.map(({ subscription_id }) => subscription_id);
  };

/** All subscriptions that the account has or had. */
export const subscriptionsOf = async (pool: pg.Pool, account: AccountId): Promise<readonly string[]> => {
  const { rows } = await pool.query<Pick<EntitlementRow, 'subscription_id'>>(
    'select subscription_id from entitlements where account_id = $1',
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
    .map((row) => ({ subscriptionId: row.subscription_id, isPaidByAnother: isPaidByAnother(row) }));

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
  if (rows.every((row) => row.phase === 'pending' || isPaidByAnother(row))) return null;
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

/** The customers of what the account pays itself, and what has not ended. */
export const ownCustomersOf = async (pool: pg.Pool, account: AccountId): Promise<readonly string[]> => {
  const { rows } = await pool.query<Pick<CustomerRow, 'customer_id'>>(
    `select distinct c.customer_id from entitlements e join subscription_customers c using (subscription_id)
      where e.account_id = $1 and e.phase = any($2) and e.proof is distinct from 'mailbox'`,
    [account, livePhases],
  );
  return rows.map(({ customer_id }) => customer_id);
};

/**
 * The account's customer at Stripe, so that its cards and invoices stay together; null before the first purchase that it has
 * paid itself.
 */
export const customerOf = async (pool: pg.Pool, account: AccountId): Promise<string | null> => {
  const { rows } = await pool.query<Pick<CustomerRow, 'customer_id'>>(
    `select c.customer_id from entitlements e join subscription_customers c using (subscription_id)
      where e.account_id = $1 and e.phase <> 'abandoned' and e.proof is distinct from 'mailbox' order by e.changed_at desc limit 1`,
    [account],
  );
  return rows[0]?.customer_id ?? null;
};
