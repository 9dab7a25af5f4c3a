import type { EntitlementPhase } from '@tapedeck/payments/events';
import { rankOf, type Plan } from '@tapedeck/plans/contract';

/** Times are milliseconds since 1970, amounts are in minor units. */
export type Refund = Readonly<{ amount: number; at: number }>;

export type Payment = Readonly<{
  amount: number;
  currency: string;
  /** Null for a price that belongs to no plan. */
  plan: Plan | null;
  paidAt: number;
  /** What it pays for lasts until then. */
  end: number;
  /** Those that have not failed. */
  refunds: readonly Refund[];
}>;

/** The account that owns the purchase from then on; `from` is null for who has paid it at the checkout. */
export type Owner = Readonly<{ member: string; from: number | null }>;

/** The newest entitlement by the purchase. */
export type Verdict = Readonly<{
  phase: EntitlementPhase;
  plan: Plan | null;
  endsAt: number | null;
  endedAt: number | null;
  recordedAt: number;
}>;

/** One subscription, as far as the tape knows it. */
export type Purchase = Readonly<{
  /** The first owner first. */
  owners: readonly Owner[];
  verdict: Verdict | null;
  payments: readonly Payment[];
}>;

/** What is charged for a period of so many months. */
export type Charge = Readonly<{ currency: string; amount: number; months: 1 | 12 }>;

/** What a purchase is at an instant at which it gives a member access. */
export type Active = Readonly<{ member: string; plan: Plan; charges: readonly Charge[] }>;

/** When all of it had gone back; never for most. */
const returnedAt = ({ amount, refunds }: Payment): number => {
  if (amount <= 0) return Infinity;
  let returned = 0;
  for (const refund of refunds.toSorted((a, b) => a.at - b.at)) {
    returned += refund.amount;
    if (returned >= amount) return refund.at;
  }
  return Infinity;
};

const maxOf = (numbers: readonly number[]): number => numbers.reduce((max, one) => Math.max(max, one), 0);

const ownerAt = (owners: readonly Owner[], t: number): Owner | undefined =>
  owners.findLast(({ from }, index) => (from === null && index === 0) || (from !== null && from <= t));

/** From then on it gives no access, whatever is paid. */
export const cutOf = ({ verdict }: Pick<Purchase, 'verdict'>): number => {
  if (!verdict) return 0;
  const { phase, endsAt, endedAt, recordedAt } = verdict;
  switch (phase) {
    case 'active':
    case 'past-due':
      return endsAt ?? Infinity;
    case 'ended':
    case 'abandoned':
      // What has ended by the tape has ended, whatever Stripe's clock says.
      return Math.min(endedAt ?? recordedAt, recordedAt);
    case 'pending':
    case 'suspended':
      return recordedAt;
    default:
      return phase satisfies never;
  }
};

/** Of two payments at once that for the better plan. */
const newestPlan = (payments: readonly Payment[]): Plan | null => {
  const newest = payments
    .filter(({ plan }) => plan !== null)
    .toSorted(
      (a, b) => b.paidAt - a.paidAt || rankOf(b.plan?.tier ?? 'Free') - rankOf(a.plan?.tier ?? 'Free'),
    );
  return newest[0]?.plan ?? null;
};

/** What the entitlement says counts from when it was recorded; before, what was paid last. */
const planAt = ({ verdict }: Purchase, paid: readonly Payment[], t: number): Plan | null =>
  verdict && verdict.recordedAt <= t ? verdict.plan : (newestPlan(paid) ?? verdict?.plan ?? null);

const chargeAt = ({ amount, currency, plan, refunds }: Payment, current: Plan, t: number): Charge => {
  const returned = refunds.filter(({ at }) => at <= t).reduce((sum, refund) => sum + refund.amount, 0);
  const period = plan?.period ?? current.period;
  return { currency, amount: amount - returned, months: period === 'annual' ? 12 : 1 };
};

/**
 * What the purchase is at an instant, by the facts that are dated up to then; undefined when it gives nobody access. A
 * period that is paid and not wholly refunded gives access until its end, and for the grace after it.
 */
export const activeAt = (purchase: Purchase, graceMs: number, t: number): Active | undefined => {
  const owner = ownerAt(purchase.owners, t);
  const known = purchase.payments.filter(({ paidAt }) => paidAt <= t);
  const end = maxOf(known.map((payment) => payment.end));
  const kept = known.filter((payment) => returnedAt(payment) > t);
  const ofPeriod = kept.filter((payment) => payment.end === end);
  if (!owner || ofPeriod.length === 0 || t >= end + graceMs || t >= cutOf(purchase)) return undefined;
  const plan = planAt(purchase, kept, t);
  if (!plan) return undefined;
  return { member: owner.member, plan, charges: ofPeriod.map((payment) => chargeAt(payment, plan, t)) };
};

/** A part of the time in which nothing about the purchase changes, `to` excluded. */
export type Piece = Readonly<{ from: number; to: number }> & Active;

/** The times at which something about it changes, in order. */
const changesOf = (purchase: Purchase, graceMs: number): readonly number[] => {
  const { owners, verdict, payments } = purchase;
  const times = [
    ...owners.flatMap(({ from }) => from ?? []),
    ...(verdict ? [verdict.recordedAt, cutOf(purchase)] : []),
    ...payments.flatMap(({ paidAt, end, refunds }) => [
      paidAt,
      end + graceMs,
      ...refunds.map(({ at }) => at),
    ]),
  ];
  return [...new Set(times)].filter(Number.isFinite).sort((a, b) => a - b);
};

/** When the purchase gives access, to whom and for what. */
export const piecesOf = (purchase: Purchase, graceMs: number): readonly Piece[] => {
  const times = changesOf(purchase, graceMs);
  return times.flatMap((from, index) => {
    const active = activeAt(purchase, graceMs, from);
    return active ? [{ from, to: times[index + 1] ?? Infinity, ...active }] : [];
  });
};
