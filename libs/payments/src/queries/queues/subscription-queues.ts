import { readable, unsealRows } from '@tapedeck/eventing';
import { maskedEmail } from '@tapedeck/kernel';
import type {
  AnonymousBuyerRow,
  QueuedPurchaseRow,
  QueuedSubscriptionRow,
} from '../../projections/payment-queue-tables.ts';
import { maxQueueItems, type Queues } from '../../wire/queues.ts';
import { countOf, queueOf, type Counted, type OfSubscription, type QueueParts } from './queue-of.ts';

type DuplicateRow = QueuedSubscriptionRow & Counted & Readonly<{ account_id: string }>;
type UnknownPriceRow = Omit<QueuedSubscriptionRow, 'tier' | 'period' | 'ends_at'> & OfSubscription;
type UnclaimedRow = QueuedPurchaseRow & Counted & Readonly<{ email: AnonymousBuyerRow['email'] | null }>;

const duplicatesSql = `
  with duplicates as (
    select account_id, min(s.started_at) as since, count(*) over () as count
      from queued_subscriptions s join queued_owners o using (subscription_id)
     group by account_id having count(*) > 1
     order by since, account_id limit ${maxQueueItems})
  select d.account_id, d.count, s.subscription_id, s.tier, s.period, s.amount, s.currency, s.stripe_status,
         s.started_at, s.ends_at
    from duplicates d join queued_owners o using (account_id) join queued_subscriptions s using (subscription_id)
   order by d.since, d.account_id, s.started_at, s.subscription_id`;

const unknownPricesSql = `
  select s.subscription_id, s.price_id, s.amount, s.currency, s.stripe_status, s.started_at, o.account_id,
         count(*) over () as count
    from queued_subscriptions s join queued_owners o using (subscription_id)
   where s.tier is null
   order by s.started_at, s.subscription_id limit ${maxQueueItems}`;

const unclaimedSql = `
  select p.subscription_id, p.tier, p.period, p.paid_at, p.refund_at, b.email, count(*) over () as count
    from queued_purchases p left join queued_buyers b using (intent_id)
   order by p.paid_at, p.subscription_id limit ${maxQueueItems}`;

/** Members with several live subscriptions. */
export const duplicatesQueue = async ({
  pool,
  accounts,
  pageOf,
}: QueueParts): Promise<Queues['duplicates']> => {
  const { rows } = await pool.query<DuplicateRow>(duplicatesSql);
  const owners = [...new Set(rows.map((row) => row.account_id))];
  const names = await accounts.of(owners);
  const subscriptionOf = (
    row: DuplicateRow,
  ): Queues['duplicates']['items'][number]['subscriptions'][number] => ({
    subscriptionId: row.subscription_id,
    stripeUrl: pageOf(row.subscription_id),
    tier: row.tier,
    period: row.period,
    amount: Number(row.amount),
    currency: row.currency,
    stripeStatus: row.stripe_status,
    startedAt: row.started_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
  });
  const items = owners.map((accountId) => ({
    accountId,
    accountName: names.get(accountId) ?? null,
    subscriptions: rows.filter((row) => row.account_id === accountId).map(subscriptionOf),
  }));
  return { count: countOf(rows), items };
};

/** Subscriptions whose price is not ours. */
export const unknownPricesQueue = async (parts: QueueParts): Promise<Queues['unknownPrices']> => {
  const { rows } = await parts.pool.query<UnknownPriceRow>(unknownPricesSql);
  return queueOf(parts, rows, (row, about) => ({
    ...about,
    priceId: row.price_id,
    priceUrl: parts.pageOf(row.price_id),
    amount: Number(row.amount),
    currency: row.currency,
    stripeStatus: row.stripe_status,
    startedAt: row.started_at.toISOString(),
  }));
};

/** Purchases without an owner. */
export const unclaimedQueue = async ({ pool, store, pageOf }: QueueParts): Promise<Queues['unclaimed']> => {
  const { rows } = await pool.query<UnclaimedRow>(unclaimedSql);
  const opened = await unsealRows(store, rows, ['email']);
  const items = opened.map((row) => {
    const email = readable(row.email, null);
    return {
      subscriptionId: row.subscription_id,
      stripeUrl: pageOf(row.subscription_id),
      email: email === null ? null : maskedEmail(email),
      tier: row.tier,
      period: row.period,
      paidAt: row.paid_at.toISOString(),
      refundAt: row.refund_at.toISOString(),
    };
  });
  return { count: countOf(rows), items };
};
