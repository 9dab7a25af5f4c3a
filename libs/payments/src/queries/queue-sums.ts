import type pg from 'pg';
import type { Queues } from '../wire/queues.ts';
import { heldRequests, waitsSql } from './held-requests.ts';

/** The entries of one queue that a person or Stripe has to solve. `amount` is in minor units; null where it is about none. */
export type QueueSum = Readonly<{
  queue: string;
  currency: string | null;
  count: number;
  amount: number;
  /** When the oldest one came into it. */
  oldestAt: Date;
}>;

/** What is left of the payments of a subscription, by invoice. */
const sumsSql = `
  with given_back as (
    select invoice_id, sum(amount) as amount from refunds where status in ('pending', 'succeeded') group by invoice_id),
  left_over as (
    select p.subscription_id, p.invoice_id, p.currency, greatest(p.amount - coalesce(g.amount, 0), 0) as amount
      from payments p left join given_back g using (invoice_id)),
  entries as (
    select 'findings' as queue, currency, amount, found_at as since from queued_findings
    union all
    select 'disputes', currency, amount, opened_at from queued_disputes
    union all
    select 'unknown-prices', s.currency, s.amount, s.started_at
      from queued_subscriptions s join queued_owners o using (subscription_id) where s.tier is null
    union all
    select 'returns', max(l.currency), coalesce(sum(l.amount), 0), r.begun_at
      from queued_returns r left join left_over l using (subscription_id) group by r.subscription_id, r.begun_at
    union all
    select 'refused', l.currency, coalesce(l.amount, 0), r.requested_at
      from queued_requests r left join left_over l using (invoice_id) where ${waitsSql}
    union all
    select 'unclaimed', max(l.currency), coalesce(sum(l.amount), 0), p.paid_at
      from queued_purchases p left join left_over l using (subscription_id) group by p.subscription_id, p.paid_at
    union all
    select 'two-subscriptions', null, 0, min(s.started_at)
      from queued_subscriptions s join queued_owners o using (subscription_id) group by o.account_id having count(*) > 1
    union all
    select 'failed-reads', null, 0, failed_at from job_failures where object like 'sub\\_%')
  select queue, currency, count(*)::integer as count, sum(amount) as amount, min(since) as oldest_at
    from entries group by queue, currency order by queue, currency`;

type SumRow = Readonly<{
  queue: string;
  currency: string | null;
  count: number;
  amount: string;
  oldest_at: Date;
}>;

/** All queues that are not empty, each by currency. */
export const queueSums = async (pool: pg.Pool): Promise<readonly QueueSum[]> => {
  const { rows } = await pool.query<SumRow>(sumsSql, [...(await heldRequests(pool))]);
  return rows.map(({ queue, currency, count, amount, oldest_at: oldestAt }) => ({
    queue,
    currency,
    count,
    amount: Number(amount),
    oldestAt,
  }));
};

/** All of them together. */
export const queueTotal = async (pool: pg.Pool): Promise<Queues['total']> => {
  const found = await queueSums(pool);
  const amounts = new Map<string, number>();
  for (const { currency, amount } of found)
    if (currency !== null && amount > 0) amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  const oldest = found.map(({ oldestAt }) => oldestAt.toISOString()).sort((a, b) => (a < b ? -1 : 1));
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    sums: [...amounts].map(([currency, amount]) => ({ currency, amount })),
    oldestAt: oldest[0] ?? null,
  };
};
