import { createHash } from 'node:crypto';
import type { ReadStream } from '@tapedeck/eventing';
import { isSamePlan, type Plan } from '@tapedeck/plans/contract';
import type pg from 'pg';
import {
  assertAnnounceable,
  assertMayAnnounce,
  priceChanges,
  priceStream,
  type PaidAmount,
} from '../domain/price-change.ts';
import { contentText } from '../domain/subscription.ts';
import type { PlanPrice } from './plan-prices.ts';

type AmountRow = Readonly<{
  tier: string;
  period: string;
  amount: string;
  currency: string;
  subscriptions: number;
}>;

const amountsSql = `
  select tier, period, amount, currency, count(*)::integer as subscriptions
    from queued_subscriptions where tier is not null and ends_at is null
   group by tier, period, amount, currency order by tier, period, currency, amount`;

type Sold = Pick<PlanPrice, 'tier' | 'period' | 'amount' | 'currency'>;

/** For each plan, what its live subscriptions renew at besides the price that is sold. */
export const formerAmountsOf = async (
  pool: pg.Pool,
  prices: readonly Sold[],
): Promise<ReadonlyMap<Sold, readonly PaidAmount[]>> => {
  const { rows } = await pool.query<AmountRow>(amountsSql);
  return new Map(
    prices.map((sold) => [
      sold,
      rows
        .filter(({ tier, period }) => tier === sold.tier && period === sold.period)
        .map(({ amount, currency, subscriptions }) => ({ amount: Number(amount), currency, subscriptions }))
        .filter(({ amount, currency }) => amount !== sold.amount || currency !== sold.currency),
    ]),
  );
};

export type PlannedPrice = Readonly<{
  plan: Plan;
  amount: number;
  currency: string;
  from: string;
  noticeDays: number;
  formerAmounts: readonly PaidAmount[];
}>;

export type PlannedPriceParts = Readonly<{
  pool: pg.Pool;
  read: ReadStream;
  prices: readonly PlanPrice[];
  noticeDays: number;
}>;

/**
 * What would be announced at an instant.
 * @throws DomainError when it cannot be
 */
export const plannedPrice = async (
  plan: Plan,
  from: string,
  now: string,
  { pool, read, prices, noticeDays }: PlannedPriceParts,
): Promise<PlannedPrice> => {
  const sold = prices.find((price) => isSamePlan(price, plan));
  if (!sold) throw new Error(`${plan.tier}, ${plan.period}, has no price.`);
  const { amount, currency } = sold;
  assertMayAnnounce(await read(priceChanges, priceStream(plan)), { amount, currency, now });
  const formerAmounts = (await formerAmountsOf(pool, [sold])).get(sold) ?? [];
  assertAnnounceable({ from, noticeDays, formerAmounts, now });
  return { plan, amount, currency, from, noticeDays, formerAmounts };
};

/** Equal for the same announcement. */
export const hashOfPrice = (planned: PlannedPrice): string =>
  createHash('sha256').update(contentText(planned)).digest('base64url');
