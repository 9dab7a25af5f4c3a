import type { StripeStatus } from '@tapedeck/payments/events';
import { priceOf, type BillingPeriod, type Plan } from '@tapedeck/plans/contract';
import type { SubscriptionSnapshot } from '@tapedeck/payments/testing';

/** What Stripe does with one subscription, in a few lines: the times are milliseconds. */
type Invoice = Readonly<{
  id: string;
  amount: number;
  plan: Plan;
  start: number;
  end: number;
  paidAt: number;
  refund: Readonly<{ amount: number; status: 'succeeded' | 'failed'; at: number }> | null;
}>;

export type SimulatedStripe = Readonly<{
  now: number;
  status: StripeStatus;
  startedAt: number;
  plan: Plan;
  /** Periods since the start, the current one included. */
  months: number;
  start: number;
  end: number;
  invoices: readonly Invoice[];
  /** The renewal that is not paid, and how often it was tried. */
  open: Readonly<{ tries: number }> | null;
  cancels: boolean;
  nextPlan: Plan | null;
  endedAt: number | null;
  dispute: 'none' | 'open' | 'won' | 'lost';
  cardWorks: boolean;
}>;

const dayMs = 86_400_000;
/** Days after the period's end; then Stripe ends the subscription. */
const tryDays = [0, 3, 7, 14] as const;

const monthsOf = (period: BillingPeriod): number => (period === 'monthly' ? 1 : 12);

/** The same day of a later month, or its last day when it has no such day. */
const addMonths = (time: number, months: number): number => {
  const date = new Date(time);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), days) - 1) * dayMs + (time % dayMs);
};

const paid = (
  stripe: SimulatedStripe,
  amount: number,
  start: number,
): Pick<SimulatedStripe, 'invoices' | 'open' | 'status'> => ({
  invoices: [
    ...stripe.invoices,
    {
      id: `in_${stripe.invoices.length + 1}`,
      amount,
      plan: stripe.plan,
      start,
      end: stripe.end,
      paidAt: stripe.now,
      refund: null,
    },
  ],
  open: null,
  status: 'active',
});

export const bought = (now: number, plan: Plan): SimulatedStripe => {
  const months = monthsOf(plan.period);
  const stripe: SimulatedStripe = {
    now,
    status: 'active',
    startedAt: now,
    plan,
    months,
    start: now,
    end: addMonths(now, months),
    invoices: [],
    open: null,
    cancels: false,
    nextPlan: null,
    endedAt: null,
    dispute: 'none',
    cardWorks: true,
  };
  return { ...stripe, ...paid(stripe, priceOf(plan).amount, now) };
};

const isOver = ({ status }: SimulatedStripe): boolean => status === 'canceled';

export const end = (stripe: SimulatedStripe): SimulatedStripe =>
  isOver(stripe) ? stripe : { ...stripe, status: 'canceled', endedAt: stripe.now, open: null };

const tryToPay = (stripe: SimulatedStripe): SimulatedStripe => {
  if (stripe.cardWorks) return { ...stripe, ...paid(stripe, priceOf(stripe.plan).amount, stripe.start) };
  const tries = (stripe.open?.tries ?? 0) + 1;
  const unpaid = { ...stripe, status: 'past_due', open: { tries } } as const;
  return tries === tryDays.length ? end(unpaid) : unpaid;
};

const renew = (stripe: SimulatedStripe): SimulatedStripe => {
  if (stripe.cancels) return end(stripe);
  const plan = stripe.nextPlan ?? stripe.plan;
  const months = stripe.months + monthsOf(plan.period);
  const renewed = {
    plan,
    months,
    nextPlan: null,
    start: stripe.end,
    end: addMonths(stripe.startedAt, months),
  };
  return tryToPay({ ...stripe, ...renewed });
};

/** When Stripe will do something by itself. */
export const nextWork = ({ open, start, end: periodEnd }: SimulatedStripe): number =>
  open ? start + (tryDays[open.tries] ?? 0) * dayMs : periodEnd;

/** All that Stripe does by itself until then, each at its own time. */
export const advance = (stripe: SimulatedStripe, to: number): SimulatedStripe => {
  const at = nextWork(stripe);
  if (isOver(stripe) || at > to) return { ...stripe, now: to };
  const due = { ...stripe, now: at };
  return advance(due.open ? tryToPay(due) : renew(due), to);
};

export const payOpen = (stripe: SimulatedStripe): SimulatedStripe =>
  stripe.open
    ? { ...stripe, cardWorks: true, ...paid(stripe, priceOf(stripe.plan).amount, stripe.start) }
    : stripe;

/** At once, and paid: the period stays, so only within the same length of period. */
export const upgrade = (stripe: SimulatedStripe): SimulatedStripe => {
  if (isOver(stripe) || stripe.open || stripe.plan.tier === 'Elite') return stripe;
  const upgraded = { ...stripe, nextPlan: null, plan: { ...stripe.plan, tier: 'Elite' } } as const;
  return { ...upgraded, ...paid(upgraded, 500, stripe.now) };
};

export const downgrade = (stripe: SimulatedStripe): SimulatedStripe =>
  isOver(stripe) ? stripe : { ...stripe, nextPlan: { tier: 'Pro', period: 'monthly' } };

/** Of the newest invoice, once. */
export const refund = (stripe: SimulatedStripe, share: 'all' | 'part'): SimulatedStripe => {
  const newest = stripe.invoices.at(-1);
  if (!newest || newest.refund) return stripe;
  const amount = share === 'all' ? newest.amount : 100;
  const refunded = { ...newest, refund: { amount, status: 'succeeded', at: stripe.now } } as const;
  return { ...stripe, invoices: [...stripe.invoices.slice(0, -1), refunded] };
};

export const failRefunds = (stripe: SimulatedStripe): SimulatedStripe => ({
  ...stripe,
  invoices: stripe.invoices.map((invoice) =>
    invoice.refund ? { ...invoice, refund: { ...invoice.refund, status: 'failed' } } : invoice,
  ),
});

const iso = (time: number): string => new Date(time).toISOString();

/** What a snapshot at this moment says. */
export const snapshotOf = (stripe: SimulatedStripe): SubscriptionSnapshot => {
  const { now, status, plan, invoices, open, cancels, dispute } = stripe;
  return {
    subscriptionId: 'sub_1',
    subscription: {
      customerId: 'cus_1',
      intentId: 'intent-1',
      status,
      priceId: `price_${plan.tier}_${plan.period}`,
      plan,
      amount: priceOf(plan).amount,
      currency: 'usd',
      startedAt: iso(stripe.startedAt),
      periodStart: iso(stripe.start),
      periodEnd: iso(stripe.end),
      cancelAtPeriodEnd: cancels && !isOver(stripe),
      cancelAt: null,
      endedAt: stripe.endedAt === null ? null : iso(stripe.endedAt),
      latestInvoiceId: `in_${invoices.length + (open ? 1 : 0)}`,
      scheduledPlan: stripe.nextPlan && { ...stripe.nextPlan, at: iso(stripe.end) },
      pendingPlan: null,
      card: null,
      observedAt: iso(now),
      apiVersion: 'simulated',
    },
    payments: invoices.map(({ id, amount, plan: of, start, end: until, paidAt }) => ({
      invoiceId: id,
      amountPaid: amount,
      currency: 'usd',
      reason: id === 'in_1' ? 'subscription_create' : 'subscription_cycle',
      plan: of,
      periodStart: iso(start),
      periodEnd: iso(until),
      chargeId: `ch_${id}`,
      paymentIntentId: null,
      paidAt: iso(paidAt),
    })),
    failures: open
      ? [
          {
            invoiceId: `in_${invoices.length + 1}`,
            attempt: open.tries,
            nextAttemptAt: iso(nextWork(stripe)),
            needsAction: false,
            failedAt: iso(now),
          },
        ]
      : [],
    voided: [],
    refunds: invoices.flatMap(({ id, refund: one }) =>
      one
        ? [
            {
              refundId: `re_${id}`,
              invoiceId: id,
              chargeId: `ch_${id}`,
              currency: 'usd',
              refundedAt: iso(one.at),
              amount: one.amount,
              status: one.status,
            },
          ]
        : [],
    ),
    disputes:
      dispute === 'none'
        ? []
        : [
            {
              disputeId: 'dp_1',
              chargeId: 'ch_in_1',
              amount: 999,
              currency: 'usd',
              reason: 'fraudulent',
              evidenceDueBy: null,
              openedAt: iso(stripe.startedAt),
            },
          ],
    closedDisputes:
      dispute === 'won' || dispute === 'lost'
        ? [{ disputeId: 'dp_1', outcome: dispute, closedAt: iso(now) }]
        : [],
  };
};
