import { subscriptions } from '../../domain/decide-subscription.ts';
import { refundedAmount } from '../../domain/entitlement.ts';
import { mayAbandon } from '../../domain/money-actions/abandon-request.ts';
import { returnAmounts } from '../../domain/purchase-return.ts';
import { mayPass } from '../../domain/refusals.ts';
import { subscriptionStream } from '../../domain/subscription-events.ts';
import { isFinal } from '../../domain/subscription.ts';
import type { QueuedRequestRow, QueuedReturnRow } from '../../projections/payment-queue-tables.ts';
import { maxQueueItems, type Queues } from '../../wire/queues.ts';
import { heldCode, heldRequests, waitsSql } from '../held-requests.ts';
import { queueOf, type OfSubscription, type QueueParts } from './queue-of.ts';

const returnsSql = `
  select subscription_id, account_id, reason, begun_at, count(*) over () as count
    from queued_returns order by begun_at, subscription_id limit ${maxQueueItems}`;

const refusedSql = `
  select r.request_id, r.subscription_id, r.kind, r.invoice_id, r.cause, r.requested_at, r.code, o.account_id,
         count(*) over () as count
    from queued_requests r left join queued_owners o using (subscription_id)
   where ${waitsSql}
   order by r.requested_at, r.request_id limit ${maxQueueItems}`;

/** Purchases that go back. */
export const returnsQueue = async (parts: QueueParts): Promise<Queues['returns']> => {
  const { rows } = await parts.pool.query<QueuedReturnRow & OfSubscription>(returnsSql);
  return queueOf(parts, rows, async (row, about) => {
    const state = await parts.read(subscriptions, subscriptionStream(row.subscription_id));
    return {
      ...about,
      reason: row.reason,
      begunAt: row.begun_at.toISOString(),
      ...returnAmounts(state),
      currency: state.observed?.currency ?? '',
      isEnded: state.observed !== null && isFinal(state.observed),
    };
  });
};

/** What Stripe has refused, and what a replay waits to ask for. */
export const refusedQueue = async (parts: QueueParts): Promise<Queues['refused']> => {
  const held = await heldRequests(parts.pool);
  const { rows } = await parts.pool.query<QueuedRequestRow & OfSubscription>(refusedSql, [...held]);
  return queueOf(parts, rows, async (row, about) => {
    const state = await parts.read(subscriptions, subscriptionStream(row.subscription_id));
    const payment = state.payments[row.invoice_id ?? ''];
    const request = state.requests[row.request_id];
    const write = request?.write;
    const code = row.code ?? heldCode;
    const part = write?.kind === 'refund' || write?.kind === 'announced-price' ? write.amount : undefined;
    return {
      ...about,
      requestId: row.request_id,
      kind: row.kind,
      cause: row.cause,
      invoiceId: row.invoice_id,
      amount: part ?? (payment ? payment.amountPaid - refundedAmount(state, payment) : null),
      currency: state.observed?.currency ?? '',
      code,
      isHeld: row.code === null,
      isRepeated: mayPass(code),
      mayAbandon: request !== undefined && mayAbandon(request),
      isAbandonProposed: request?.abandonProposedBy !== undefined,
      requestedAt: row.requested_at.toISOString(),
    };
  });
};
