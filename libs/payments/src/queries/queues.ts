import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, readStates, unsealRows, type EventStore, type ReadStream } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { stripePages, type StripePages } from '@tapedeck/stripe/pages';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type pg from 'pg';
import { subscriptions } from '../domain/decide-subscription.ts';
import { refundedAmount } from '../domain/entitlement.ts';
import { returnAmounts } from '../domain/purchase-return.ts';
import { mayAbandon } from '../domain/money-actions/abandon-request.ts';
import { mayPass } from '../domain/refusals.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { isFinal } from '../domain/subscription.ts';
import type {
  AnonymousBuyerRow,
  QueuedDisputeRow,
  QueuedMismatchRow,
  QueuedPurchaseRow,
  QueuedRequestRow,
  QueuedReturnRow,
  QueuedSubscriptionRow,
} from '../projections/payment-queue-tables.ts';
import { maxQueueItems, type Queues } from '../wire/queues.ts';
import { mismatchValues } from './mismatch-values.ts';
import { failedReadsQueue, findingsQueue } from './finding-queues.ts';
import { heldCode, heldRequests, waitsSql } from './held-requests.ts';
import { queueTotal } from './queue-sums.ts';
import type { PaymentsApiConfig } from '../settings.ts';

export class ShowQueues extends Query<Queues> {}

type Counted = Readonly<{ count: string }>;
type Owned = Readonly<{ account_id: string | null }>;
type DuplicateRow = QueuedSubscriptionRow & Counted & Readonly<{ account_id: string }>;
type UnknownPriceRow = Omit<QueuedSubscriptionRow, 'tier' | 'period' | 'ends_at'> & Owned & Counted;
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

const returnsSql = `
  select subscription_id, account_id, reason, begun_at, count(*) over () as count
    from queued_returns order by begun_at, subscription_id limit ${maxQueueItems}`;

const refusedSql = `
  select r.request_id, r.subscription_id, r.kind, r.invoice_id, r.cause, r.requested_at, r.code, o.account_id,
         count(*) over () as count
    from queued_requests r left join queued_owners o using (subscription_id)
   where ${waitsSql}
   order by r.requested_at, r.request_id limit ${maxQueueItems}`;

const unclaimedSql = `
  select p.subscription_id, p.tier, p.period, p.paid_at, p.refund_at, b.email, count(*) over () as count
    from queued_purchases p left join queued_buyers b using (intent_id)
   order by p.paid_at, p.subscription_id limit ${maxQueueItems}`;

const disputesSql = `
  select d.dispute_id, d.subscription_id, d.amount, d.currency, d.reason, d.opened_at, d.evidence_due_by,
         o.account_id, count(*) over () as count
    from queued_disputes d left join queued_owners o using (subscription_id)
   order by d.evidence_due_by nulls last, d.dispute_id limit ${maxQueueItems}`;

const mismatchSql = `
  select d.event_id, d.subscription_id, d.fields, d.detected_at, o.account_id, count(*) over () as count
    from queued_drift d left join queued_owners o using (subscription_id)
   where d.detected_at > $1
   order by d.detected_at desc, d.event_id limit ${maxQueueItems}`;

const dayMs = 86_400_000;
const countOf = (rows: readonly Counted[]): number => Number(rows[0]?.count ?? 0);

/** The first letter and the domain: enough to recognise an address that is known already. */
export const masked = (email: string): string =>
  `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;

const subscriptionOf = (
  row: QueuedSubscriptionRow,
  pageOf: StripePages,
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

@QueryHandler(ShowQueues)
export class ShowQueuesHandler implements IQueryHandler<ShowQueues> {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #read: ReadStream;
  readonly #clock: Clock;
  readonly #pageOf: StripePages;
  readonly #accounts: AccountNames;

  constructor(
    @Inject(DATABASES) { tapedeck }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) config: PaymentsApiConfig,
    accounts: AccountNames,
  ) {
    this.#accounts = accounts;
    this.#pool = tapedeck;
    this.#store = store;
    this.#read = readStates(store);
    this.#clock = clock;
    this.#pageOf = stripePages(config);
  }

  async execute(): Promise<Queues> {
    const parts = { pool: this.#pool, accounts: this.#accounts, pageOf: this.#pageOf };
    const [total, findings, failedReads] = await Promise.all([
      queueTotal(this.#pool),
      findingsQueue(parts),
      failedReadsQueue(parts),
    ]);
    const [duplicates, unknownPrices, returns, refused, unclaimed, disputes, mismatches] = await Promise.all([
      this.#duplicates(),
      this.#unknownPrices(),
      this.#returns(),
      this.#refused(),
      this.#unclaimed(),
      this.#disputes(),
      this.#mismatches(),
    ]);
    const known = { readAt: isoNow(this.#clock), total, findings, failedReads };
    return { ...known, duplicates, unknownPrices, returns, refused, unclaimed, disputes, mismatches };
  }

  async #duplicates(): Promise<Queues['duplicates']> {
    const { rows } = await this.#pool.query<DuplicateRow>(duplicatesSql);
    const accounts = [...new Set(rows.map((row) => row.account_id))];
    const names = await this.#accounts.of(accounts);
    const items = accounts.map((accountId) => ({
      accountId,
      accountName: names.get(accountId) ?? null,
      subscriptions: rows
        .filter((row) => row.account_id === accountId)
        .map((row) => subscriptionOf(row, this.#pageOf)),
    }));
    return { count: countOf(rows), items };
  }

  async #unknownPrices(): Promise<Queues['unknownPrices']> {
    const { rows } = await this.#pool.query<UnknownPriceRow>(unknownPricesSql);
    const nameOf = await this.#namesOf(rows);
    const items = rows.map((row) => ({
      subscriptionId: row.subscription_id,
      stripeUrl: this.#pageOf(row.subscription_id),
      accountId: row.account_id,
      accountName: nameOf(row.account_id),
      priceId: row.price_id,
      priceUrl: this.#pageOf(row.price_id),
      amount: Number(row.amount),
      currency: row.currency,
      stripeStatus: row.stripe_status,
      startedAt: row.started_at.toISOString(),
    }));
    return { count: countOf(rows), items };
  }

  async #returns(): Promise<Queues['returns']> {
    const { rows } = await this.#pool.query<QueuedReturnRow & Counted>(returnsSql);
    const nameOf = await this.#namesOf(rows);
    const items = await Promise.all(
      rows.map(async (row) => {
        const state = await this.#read(subscriptions, subscriptionStream(row.subscription_id));
        return {
          subscriptionId: row.subscription_id,
          stripeUrl: this.#pageOf(row.subscription_id),
          accountId: row.account_id,
          accountName: nameOf(row.account_id),
          reason: row.reason,
          begunAt: row.begun_at.toISOString(),
          ...returnAmounts(state),
          currency: state.observed?.currency ?? '',
          isEnded: state.observed !== null && isFinal(state.observed),
        };
      }),
    );
    return { count: countOf(rows), items };
  }

  async #refused(): Promise<Queues['refused']> {
    const held = await heldRequests(this.#pool);
    const { rows } = await this.#pool.query<QueuedRequestRow & Owned & Counted>(refusedSql, [...held]);
    const nameOf = await this.#namesOf(rows);
    const items = await Promise.all(
      rows.map(async (row) => {
        const state = await this.#read(subscriptions, subscriptionStream(row.subscription_id));
        const payment = state.payments[row.invoice_id ?? ''];
        const request = state.requests[row.request_id];
        const write = request?.write;
        const code = row.code ?? heldCode;
        const part = write?.kind === 'refund' || write?.kind === 'announced-price' ? write.amount : undefined;
        return {
          requestId: row.request_id,
          subscriptionId: row.subscription_id,
          stripeUrl: this.#pageOf(row.subscription_id),
          accountId: row.account_id,
          accountName: nameOf(row.account_id),
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
      }),
    );
    return { count: countOf(rows), items };
  }

  async #unclaimed(): Promise<Queues['unclaimed']> {
    const { rows } = await this.#pool.query<UnclaimedRow>(unclaimedSql);
    const opened = await unsealRows(this.#store, rows, ['email']);
    const items = opened.map((row) => {
      const email = readable(row.email, null);
      return {
        subscriptionId: row.subscription_id,
        stripeUrl: this.#pageOf(row.subscription_id),
        email: email === null ? null : masked(email),
        tier: row.tier,
        period: row.period,
        paidAt: row.paid_at.toISOString(),
        refundAt: row.refund_at.toISOString(),
      };
    });
    return { count: countOf(rows), items };
  }

  async #namesOf(rows: readonly Owned[]): Promise<(accountId: string | null) => string | null> {
    const accounts = rows.flatMap(({ account_id: id }) => (id === null ? [] : [id]));
    const names = await this.#accounts.of([...new Set(accounts)]);
    return (accountId) => (accountId === null ? null : (names.get(accountId) ?? null));
  }

  async #disputes(): Promise<Queues['disputes']> {
    const { rows } = await this.#pool.query<QueuedDisputeRow & Owned & Counted>(disputesSql);
    const nameOf = await this.#namesOf(rows);
    const items = rows.map((row) => ({
      disputeId: row.dispute_id,
      stripeUrl: this.#pageOf(row.dispute_id),
      subscriptionId: row.subscription_id,
      accountId: row.account_id,
      accountName: nameOf(row.account_id),
      amount: Number(row.amount),
      currency: row.currency,
      reason: row.reason,
      openedAt: row.opened_at.toISOString(),
      evidenceDueBy: row.evidence_due_by?.toISOString() ?? null,
    }));
    return { count: countOf(rows), items };
  }

  async #mismatches(): Promise<Queues['mismatches']> {
    const since = new Date(this.#clock.now() - dayMs);
    const { rows } = await this.#pool.query<QueuedMismatchRow & Owned & Counted>(mismatchSql, [since]);
    const streams = await this.#store.readStreams([
      ...new Set(rows.map((row) => subscriptionStream(row.subscription_id))),
    ]);
    const nameOf = await this.#namesOf(rows);
    const items = rows.map((row) => {
      const stream = streams.get(subscriptionStream(row.subscription_id)) ?? [];
      const { values, isHealed } = mismatchValues(stream, row.event_id, row.fields);
      return {
        eventId: row.event_id,
        subscriptionId: row.subscription_id,
        stripeUrl: this.#pageOf(row.subscription_id),
        accountId: row.account_id,
        accountName: nameOf(row.account_id),
        detectedAt: row.detected_at.toISOString(),
        fields: [...values],
        isHealed,
      };
    });
    return { count: countOf(rows), items };
  }
}
