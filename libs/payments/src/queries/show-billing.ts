import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  type EventStore,
  readStates,
  type ReadStream,
  type RecordedEvent,
  typedEvents,
} from '@tapedeck/eventing';
import { isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { VerifiedEmail } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, VERIFIED_EMAIL } from '@tapedeck/platform/tokens';
import type pg from 'pg';
import { subscriptions } from '../domain/decide-subscription.ts';
import type { Billing } from '../contract.ts';
import { isSamePlan, type BillingPeriod, type PaidTier, type Plan } from '@tapedeck/plans/contract';
import type { Subscription } from '../domain/subscription.ts';
import {
  subscriptionEvents,
  subscriptionStream,
  type SubscriptionEvent,
} from '../domain/subscription-events.ts';
import { paidForText } from '../domain/payment-purpose.ts';
import { failedPayments, type FailedPayment } from '../domain/failed-payments.ts';
import { paymentsSeenBy } from '../domain/seen-payments.ts';
import { withdrawableOf } from '../domain/withdrawal.ts';
import { disputeStates, paidStateOf, type DisputeState } from '../domain/paid-states.ts';
import { KEYED_HASHES, type KeyedHashes } from '../http/buyer-proofs.ts';
import { INTRO_AVAILABILITY, type IntroAvailability } from '../prices/intro-availability.ts';
import { planPrices, type PlanPrice } from '../prices/plan-prices.ts';
import { mainSubscription, otherSubscription } from './billing-subscriptions.ts';
import { memberOffers, type MemberOffers } from './member-offers.ts';
import { customerOf } from '../projections/customers.ts';
import { liveSubscriptionsOf, subscriptionsOf } from '../projections/subscriptions.ts';
import type { PaymentsApiConfig } from '../settings.ts';

/** Subscription, payments and unclaimed purchases of a member. */
export class ShowBilling extends Query<Billing> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

type PaymentRow = Readonly<{
  invoice_id: string;
  paid_at: Date;
  amount: string;
  refunded: string;
  currency: string;
  reason: string;
  tier: string | null;
  period: string | null;
}>;

const paymentsSql = `
  select p.invoice_id, p.paid_at, p.amount, p.currency, p.reason, p.tier, p.period,
         coalesce((select sum(r.amount) from refunds r
                    where r.invoice_id = p.invoice_id and r.status in ('pending', 'succeeded')), 0) as refunded
    from payments p
   where p.invoice_id = any($1)
   order by p.paid_at desc
   limit 100`;

const paymentOf = (
  row: PaymentRow,
  dispute: DisputeState | undefined,
  hasInvoice: boolean,
): Billing['payments'][number] => {
  const [amount, refunded] = [Number(row.amount), Number(row.refunded)];
  const plan = row.tier === null || row.period === null ? null : { tier: row.tier, period: row.period };
  return {
    invoiceId: row.invoice_id,
    at: row.paid_at.toISOString(),
    amount,
    refunded,
    currency: row.currency,
    text: paidForText(plan, row.reason),
    state: paidStateOf({ amount, refunded, dispute }),
    hasInvoice,
  };
};

const maxFailures = 100;

const failureOf = ({ plan, billingReason, ...failed }: FailedPayment): Billing['failedPayments'][number] => ({
  ...failed,
  text: paidForText(plan, billingReason ?? ''),
});

type History = readonly RecordedEvent<SubscriptionEvent>[];

const failuresIn = (histories: readonly History[], accountId: AccountId): Billing['failedPayments'] =>
  histories
    .flatMap((events) => failedPayments(events, accountId))
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, maxFailures)
    .map(failureOf);

/** Whether the account has paid it, by invoice. */
const seenIn = (histories: readonly History[], accountId: AccountId): ReadonlyMap<string, boolean> =>
  new Map(
    histories
      .flatMap((events) => paymentsSeenBy(events, accountId))
      .map(({ invoiceId, isOwn }) => [invoiceId, isOwn]),
  );

const unclaimedSql = `
  select u.tier, u.period, u.paid_at from unclaimed_purchases u join checkouts c using (intent_id)
   where c.email_hash = $1 order by u.paid_at desc limit 10`;

@QueryHandler(ShowBilling)
export class ShowBillingHandler implements IQueryHandler<ShowBilling> {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #read: ReadStream;
  readonly #hashes: KeyedHashes;
  readonly #verifiedEmail: VerifiedEmail;
  readonly #prices: readonly PlanPrice[];
  readonly #offers: MemberOffers;
  readonly #clock: Clock;
  readonly #withdrawalDays: number;

  constructor(
    @Inject(DATABASES) { tapedeck }: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
    @Inject(VERIFIED_EMAIL) verifiedEmail: VerifiedEmail,
    @Inject(CONFIG) config: PaymentsApiConfig,
    @Inject(CLOCK) clock: Clock,
    @Inject(INTRO_AVAILABILITY) introPrice: IntroAvailability,
  ) {
    this.#pool = tapedeck;
    this.#store = store;
    this.#read = readStates(store);
    this.#hashes = hashes;
    this.#verifiedEmail = verifiedEmail;
    this.#prices = planPrices(config);
    const offered = { pool: tapedeck, read: this.#read, hashes, prices: this.#prices };
    this.#offers = memberOffers({ ...offered, hasIntro: introPrice.isAvailable });
    this.#clock = clock;
    this.#withdrawalDays = config.WITHDRAWAL_DAYS;
  }

  async execute({ accountId }: ShowBilling): Promise<Billing> {
    const now = isoNow(this.#clock);
    const [main, ...others] = await this.#states(await liveSubscriptionsOf(this.#pool, accountId));
    const email = await this.#verifiedEmail(accountId);
    const histories = await this.#histories(accountId);
    const seen = seenIn(histories, accountId);
    const { rows } = await this.#pool.query<PaymentRow>(paymentsSql, [[...seen.keys()]]);
    const subscription = main
      ? mainSubscription({ state: main, events: histories.flat(), now }, (plan) => this.#amountOf(plan))
      : null;
    const disputes = new Map(histories.flatMap((events) => [...disputeStates(events)]));
    return {
      subscription,
      others: others.flatMap((state) => otherSubscription({ state, now })),
      payments: rows.map((row) => {
        const { invoice_id: id } = row;
        return paymentOf(row, disputes.get(id), seen.get(id) ?? false);
      }),
      failedPayments: failuresIn(histories, accountId),
      hasPortal: (await customerOf(this.#pool, accountId)) !== null,
      unclaimed: email === null ? [] : await this.#unclaimed(email),
      withdrawable: await this.#withdrawable(accountId, now),
      ...(await this.#offers({ accountId, email, subscription, now })),
    };
  }

  #states(ids: readonly string[]): Promise<readonly Subscription[]> {
    return Promise.all(ids.map((id) => this.#read(subscriptions, subscriptionStream(id))));
  }

  async #withdrawable(accountId: AccountId, now: string): Promise<Billing['withdrawable']> {
    const states = await this.#states(await subscriptionsOf(this.#pool, accountId));
    const options = { days: this.#withdrawalDays, now };
    return states
      .filter(({ owner }) => owner?.accountId === accountId)
      .flatMap((state) => withdrawableOf(state, options) ?? []);
  }

  async #histories(accountId: AccountId): Promise<readonly History[]> {
    const ids = await subscriptionsOf(this.#pool, accountId);
    const streams = await this.#store.readStreams(ids.map(subscriptionStream));
    return [...streams.values()].map((stream) => typedEvents(stream, subscriptionEvents));
  }

  async #unclaimed(email: string): Promise<Billing['unclaimed']> {
    const { rows } = await this.#pool.query<{ tier: PaidTier; period: BillingPeriod; paid_at: Date }>(
      unclaimedSql,
      [this.#hashes.ofEmail(email)],
    );
    return rows.map(({ tier, period, paid_at }) => ({ tier, period, paidAt: paid_at.toISOString() }));
  }

  #amountOf(plan: Plan): number | undefined {
    return this.#prices.find((price) => isSamePlan(price, plan))?.amount;
  }
}
