import { subscriptionStream } from '../../domain/subscription-events.ts';
import type {
  QueuedDisputeRow,
  QueuedFindingRow,
  QueuedMismatchRow,
} from '../../projections/payment-queue-tables.ts';
import { maxQueueItems, type Queues } from '../../wire/queues.ts';
import { mismatchValues } from '../mismatch-values.ts';
import { queueOf, type OfSubscription, type QueueParts } from './queue-of.ts';

type FailedReadRow = OfSubscription &
  Readonly<{ job: string; error: string; attempts: number; failed_at: Date; retry_at: Date }>;

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

const disputesSql = `
  select d.dispute_id, d.subscription_id, d.amount, d.currency, d.reason, d.opened_at, d.evidence_due_by,
         o.account_id, count(*) over () as count
    from queued_disputes d left join queued_owners o using (subscription_id)
   order by d.evidence_due_by nulls last, d.dispute_id limit ${maxQueueItems}`;

const mismatchesSql = `
  select d.event_id, d.subscription_id, d.fields, d.detected_at, o.account_id, count(*) over () as count
    from queued_drift d left join queued_owners o using (subscription_id)
   where d.detected_at > $1
   order by d.detected_at desc, d.event_id limit ${maxQueueItems}`;

/** Money without access, and access without money. */
export const findingsQueue = async (parts: QueueParts): Promise<Queues['findings']> => {
  const { rows } = await parts.pool.query<QueuedFindingRow & OfSubscription>(findingsSql);
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
  const { rows } = await parts.pool.query<FailedReadRow>(failedReadsSql);
  return queueOf(parts, rows, ({ job, error, attempts, failed_at: failedAt, retry_at: retryAt }, about) => ({
    ...about,
    job,
    error,
    attempts,
    failedAt: failedAt.toISOString(),
    retryAt: retryAt.toISOString(),
  }));
};

export const disputesQueue = async (parts: QueueParts): Promise<Queues['disputes']> => {
  const { rows } = await parts.pool.query<QueuedDisputeRow & OfSubscription>(disputesSql);
  return queueOf(parts, rows, (row, about) => ({
    ...about,
    disputeId: row.dispute_id,
    stripeUrl: parts.pageOf(row.dispute_id),
    amount: Number(row.amount),
    currency: row.currency,
    reason: row.reason,
    openedAt: row.opened_at.toISOString(),
    evidenceDueBy: row.evidence_due_by?.toISOString() ?? null,
  }));
};

/** Where the nightly comparison has found Stripe and the tape to differ. */
export const mismatchesQueue = async (parts: QueueParts, since: Date): Promise<Queues['mismatches']> => {
  const { rows } = await parts.pool.query<QueuedMismatchRow & OfSubscription>(mismatchesSql, [since]);
  const streams = await parts.store.readStreams([
    ...new Set(rows.map((row) => subscriptionStream(row.subscription_id))),
  ]);
  return queueOf(parts, rows, (row, about) => {
    const stream = streams.get(subscriptionStream(row.subscription_id)) ?? [];
    const { values, isHealed } = mismatchValues(stream, row.event_id, row.fields);
    return {
      ...about,
      eventId: row.event_id,
      detectedAt: row.detected_at.toISOString(),
      fields: [...values],
      isHealed,
    };
  });
};
