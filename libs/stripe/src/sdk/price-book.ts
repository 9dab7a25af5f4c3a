import type { Clock } from '@tapedeck/kernel';
import { isSamePlan, planOfKey, type Plan } from '@tapedeck/plans/contract';
import type { Stripe } from 'stripe';
import type { PriceList } from '../port.ts';
import { orMissing } from './errors.ts';
import { idOf } from './values.ts';

/** The plan of a price; null for one that is not ours. */
export type PlanOf = (priceId: string | null) => Plan | null;

type Priced = Readonly<{ price: string | Readonly<{ id: string }> }>;

/** The item of the plan, of a subscription or of what will become of it: support may have added something that is no plan. */
export const planItem = <Item extends Priced>(items: readonly Item[], planOf: PlanOf): Item | undefined =>
  items.find(({ price }) => planOf(idOf(price)) !== null) ?? items[0];

/** Finds out which plans some prices belong to. */
export type PriceBook = (priceIds: readonly string[]) => Promise<PlanOf>;

/** In the metadata of a price at Stripe: the key of its plan, such as `pro_monthly`. */
const planKeyName = 'tapedeck_plan';

const intervals = { monthly: 'month', annual: 'year' } as const;

/** A price names its plan itself, so that a new one needs no setting, and one that is sold no more stays known. */
const planInMetadata = ({ metadata, recurring }: Stripe.Price): Plan | null => {
  const plan = planOfKey(metadata[planKeyName] ?? '');
  return plan && recurring?.interval === intervals[plan.period] && recurring.interval_count === 1
    ? plan
    : null;
};

/** @throws Error for a plan without a configured price */
export const priceIdOf = (plan: Plan, prices: PriceList): string => {
  const price = prices.find((one) => isSamePlan(one, plan));
  if (!price) throw new Error(`${plan.tier}, ${plan.period}, has no price.`);
  return price.priceId;
};

/** How long a price that names no plan is not read again. */
const foreignForMs = 5 * 60_000;
/** Other products of the same account at Stripe may have many prices. */
const maxRemembered = 1_000;

type Remembered = Readonly<{ plan: Plan | null; until: number }>;

/** Prices of `prices` are known; any other one is read once. */
export const createPriceBook = (
  stripe: Pick<Stripe, 'prices'>,
  prices: PriceList,
  clock: Clock,
): PriceBook => {
  const configured = new Map(prices.map(({ priceId, tier, period }) => [priceId, { tier, period }]));
  const remembered = new Map<string, Remembered>();
  const remember = (priceId: string, plan: Plan | null): void => {
    const [oldest] = remembered.keys();
    if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
    remembered.set(priceId, { plan, until: plan ? Infinity : clock.now() + foreignForMs });
  };
  const isKnown = (priceId: string): boolean =>
    configured.has(priceId) || (remembered.get(priceId)?.until ?? -Infinity) > clock.now();
  return async (priceIds) => {
    for (const priceId of new Set(priceIds)) {
      if (isKnown(priceId)) continue;
      const price = await orMissing(stripe.prices.retrieve(priceId));
      remember(priceId, price ? planInMetadata(price) : null);
    }
    const plans = new Map(
      priceIds.map((id) => [id, configured.get(id) ?? remembered.get(id)?.plan ?? null] as const),
    );
    return (priceId) => (priceId === null ? null : (plans.get(priceId) ?? null));
  };
};
