import type { AccountNames } from '@tapedeck/platform/http';
import type pg from 'pg';
import type { QueuedFindingRow } from '../projections/payment-queue-tables.ts';
import type { StripePages } from '@tapedeck/stripe/pages';
import { maxQueueItems, type Queues } from '../wire/queues.ts';

export type QueueParts = Readonly<{ pool: pg.Pool; accounts: AccountNames; pageOf: StripePages }>;

type Owned = Readonly<{ subscription_id: string; account_id: string | null; count: string }>;
type FailedReadRow = Readonly<{
  job: string;
  subscription_id: string;
  error: string;
  attempts: number;
  failed_at: Date;
  retry_at: Date;
}>;

const findingsSql = `
  select f.subscription_id, f.kind, f.amount, f.currency, f.found_at, o.account_id, count(*) over () as count
    from queued_findings f left join queued_owners o using (subscription_id)
   order by f.found_at, f.subscription_id limit ${maxQueueItems}`;

const failedReadsSql = `
  select j.job, j.object as subscription_id, j.error, j.attempts, j.failed_at, j.retry_at, o.account_id,
         count(*) over () as count
    from job_failures j left join queued_owners o on o.subscription_id = j.object
   where j.object like 'sub\\_%'
   order by j.failed_at, j.job, j.object limit ${maxQueueItems}`;

/** What every entry about a subscription says of it. */
type About = Readonly<{
  subscriptionId: string;
  stripeUrl: string;
  accountId: string | null;
  accountName: string | null;
}>;

const queueOf = async <Row extends Owned, Item>(
  { accounts, pageOf }: QueueParts,
  rows: readonly Row[],
  itemOf: (row: Row, about: About) => Item,
): Promise<{ count: number; items: Item[] }> => {
  const owners = rows.flatMap(({ account_id: id }) => (id === null ? [] : [id]));
  const names = await accounts.of([...new Set(owners)]);
  const items = rows.map((row) => {
    const { subscription_id: subscriptionId, account_id: accountId } = row;
    const accountName = accountId === null ? null : (names.get(accountId) ?? null);
    return itemOf(row, { subscriptionId, stripeUrl: pageOf(subscriptionId), accountId, accountName });
  });
  return { count: Number(rows[0]?.count ?? 0), items };
};

/** Money without access, and access without money. */
export const findingsQueue = async (parts: QueueParts): Promise<Queues['findings']> => {
  const { rows } = await parts.pool.query<QueuedFindingRow & Owned>(findingsSql);
  return queueOf(parts, rows, ({ kind, amount, currency, found_at: foundAt }, about) => ({
    ...about,
    kind,
    amount: Number(amount),
    currency,
    foundAt: foundAt.toISOString(),
  }));
};

/** Subscriptions that jobs could not read or record. */
export const failedReadsQueue = async (parts: QueueParts): Promise<Queues['failedReads']> => {
  const { rows } = await parts.pool.query<FailedReadRow & Owned>(failedReadsSql);
  return queueOf(parts, rows, ({ job, error, attempts, failed_at: failedAt, retry_at: retryAt }, about) => ({
    ...about,
    job,
    error,
    attempts,
    failedAt: failedAt.toISOString(),
    retryAt: retryAt.toISOString(),
  }));
};
