import type { EntitlementPhase } from '@tapedeck/payments/events';
import { isSamePlan, rankOf, type Plan } from '@tapedeck/plans/contract';

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
  if (amount <= 0 || refunds.length === 0) return Infinity;
  let returned = 0;
  for (const refund of refunds.toSorted((a, b) => a.at - b.at)) {
    returned += refund.amount;
    if (returned >= amount) return refund.at;
  }
  return Infinity;
};

const ownerAt = (owners: readonly Owner[], t: number): Owner | undefined =>
  owners.findLast(({ from }, index) => (from === null && index === 0) || (from !== null && from <= t));

/** From then on it gives no access, whatever is paid. */
const cutOf = ({ verdict }: Pick<Purchase, 'verdict'>): number => {
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

/** A payment, and when all of it had gone back. */
type Returnable = Readonly<{ payment: Payment; returnedAt: number }>;

const returnable = (payments: readonly Payment[]): readonly Returnable[] =>
  payments.map((payment) => ({ payment, returnedAt: returnedAt(payment) }));

/** Of two payments at once that for the better plan. */
const isNewerPlan = (payment: Payment, known: Payment | null): boolean => {
  if (payment.plan === null) return false;
  if (!known?.plan || payment.paidAt > known.paidAt) return true;
  return payment.paidAt === known.paidAt && rankOf(payment.plan.tier) > rankOf(known.plan.tier);
};

/** What is paid at an instant: the end of the newest period, what pays for it, and the plan that was paid last. */
type Paid = Readonly<{ end: number; ofPeriod: readonly Payment[]; plan: Plan | null }>;

// Loops instead of lists: it runs for each change of each purchase.
const paidAt = (payments: readonly Returnable[], t: number): Paid => {
  let end = 0;
  for (const { payment } of payments) if (payment.paidAt <= t && payment.end > end) end = payment.end;
  const ofPeriod: Payment[] = [];
  let newest: Payment | null = null;
  for (const { payment, returnedAt: gone } of payments) {
    if (payment.paidAt > t || gone <= t) continue;
    if (payment.end === end) ofPeriod.push(payment);
    if (isNewerPlan(payment, newest)) newest = payment;
  }
  return { end, ofPeriod, plan: newest?.plan ?? null };
};

const chargeAt = ({ amount, currency, plan, refunds }: Payment, current: Plan, t: number): Charge => {
  const returned = refunds.filter(({ at }) => at <= t).reduce((sum, refund) => sum + refund.amount, 0);
  const period = plan?.period ?? current.period;
  return { currency, amount: amount - returned, months: period === 'annual' ? 12 : 1 };
};

type Known = Omit<Purchase, 'payments'> & Readonly<{ payments: readonly Returnable[]; graceMs: number }>;

/**
 * What the purchase is at an instant, by the facts that are dated up to then; undefined when it gives nobody access. A
 * period that is paid and not wholly refunded gives access until its end, and for the grace after it. What the
 * entitlement says of the plan counts from when it was recorded; before, what was paid last.
 */
const activeAt = ({ owners, verdict, payments, graceMs }: Known, t: number): Active | undefined => {
  const owner = ownerAt(owners, t);
  const { end, ofPeriod, plan: paid } = paidAt(payments, t);
  if (!owner || ofPeriod.length === 0 || t >= end + graceMs || t >= cutOf({ verdict })) return undefined;
  const plan = verdict && verdict.recordedAt <= t ? verdict.plan : (paid ?? verdict?.plan ?? null);
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

const isSameCharge = (a: Charge, b: Charge | undefined): boolean =>
  a.amount === b?.amount && a.currency === b.currency && a.months === b.months;

const isSame = (a: Active, b: Active): boolean =>
  a.member === b.member &&
  isSamePlan(a.plan, b.plan) &&
  a.charges.length === b.charges.length &&
  a.charges.every((charge, index) => isSameCharge(charge, b.charges[index]));

/** When the purchase gives access, to whom and for what. */
export const piecesOf = (purchase: Purchase, graceMs: number): readonly Piece[] => {
  const times = changesOf(purchase, graceMs);
  const known = { ...purchase, payments: returnable(purchase.payments), graceMs };
  const pieces: Piece[] = [];
  for (const [index, from] of times.entries()) {
    const active = activeAt(known, from);
    if (!active) continue;
    const to = times[index + 1] ?? Infinity;
    const last = pieces.at(-1);
    if (last?.to === from && isSame(last, active)) pieces[pieces.length - 1] = { ...last, to };
    else pieces.push({ from, to, ...active });
  }
  return pieces;
};
