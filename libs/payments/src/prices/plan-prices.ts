import { DomainError } from '@tapedeck/kernel';
import { paidPlans, priceOf, type Plan } from '@tapedeck/plans/contract';
import type { CouponSnapshot, PriceList, PriceSnapshot, StripeReads } from '@tapedeck/stripe/port';
import { planName, type PricesConfig } from '../settings.ts';

/** A plan with its price, in minor units. */
export type PlanPrice = Plan &
  Readonly<{
    priceId: string;
    amount: number;
    currency: string;
    /** Of the first month (docs/product-decisions.md#introductory-price); null for a plan without one. */
    introAmount: number | null;
    /** The variable that configures the price's id. */
    variable: string;
  }>;

export const hasIntro = (plan: Plan): boolean => priceOf(plan).introAmount !== null;

/** The plans that are sold. */
export const planPrices = (config: PricesConfig): readonly PlanPrice[] =>
  paidPlans.map((plan) => {
    const name = planName(plan);
    return {
      ...plan,
      priceId: config[`STRIPE_PRICE_${name}`],
      amount: config[`${name}_AMOUNT`],
      currency: config.CURRENCY,
      introAmount: hasIntro(plan) && config.STRIPE_INTRO_COUPON !== undefined ? config.INTRO_AMOUNT : null,
      variable: `STRIPE_PRICE_${name}`,
    };
  });

/** All prices that a plan is known by: those that are sold first. */
export const knownPrices = (config: PricesConfig): PriceList => [
  ...planPrices(config),
  ...config.STRIPE_FORMER_PRICES,
];

const wrong = (variable: string, id: string, problem: string): DomainError =>
  new DomainError(
    'invalid',
    'PRICE_WRONG',
    `${variable} is ${id}, ${problem}: correct the variable, or the object in Stripe.`,
  );

const problemOf = (plan: PlanPrice, price: PriceSnapshot | null): string | undefined => {
  if (!price) return 'which Stripe does not have';
  const interval = plan.period === 'monthly' ? 'month' : 'year';
  const wanted = `${plan.amount} ${plan.currency} per ${interval}`;
  if (
    price.amount !== plan.amount ||
    price.currency !== plan.currency ||
    price.interval !== interval ||
    price.intervalCount !== 1
  )
    return `which charges ${price.amount} ${price.currency} per ${price.intervalCount} ${price.interval} instead of ${wanted}`;
  return undefined;
};

const problemOfCoupon = (
  { amount, introAmount, currency }: PlanPrice,
  coupon: CouponSnapshot | null,
): string | undefined => {
  if (!coupon) return 'which Stripe does not have';
  if (!coupon.isValid) return 'which cannot be given any more';
  if (coupon.duration !== 'once') return `whose duration is ${coupon.duration} instead of once`;
  const wanted = amount - (introAmount ?? amount);
  if (coupon.amountOff === wanted && coupon.currency === currency) return undefined;
  const given = coupon.amountOff === null ? 'a percentage' : `${coupon.amountOff} ${coupon.currency}`;
  return `which takes ${given} off instead of ${wanted} ${currency}`;
};

type ReadsPrices = Pick<StripeReads, 'readPrice' | 'readCoupon'>;

/** @throws DomainError PRICE_WRONG when the coupon does not make the introductory price of the plans that have one */
const assertCoupon = async (
  prices: readonly PlanPrice[],
  couponId: string | undefined,
  stripe: ReadsPrices,
): Promise<void> => {
  const withIntro = prices.filter(({ introAmount }) => introAmount !== null);
  if (couponId === undefined || withIntro.length === 0) return;
  const coupon = await stripe.readCoupon(couponId);
  for (const plan of withIntro) {
    const problem = problemOfCoupon(plan, coupon);
    if (problem !== undefined) throw wrong('STRIPE_INTRO_COUPON', couponId, problem);
  }
};

/**
 * Compares the configured prices and the coupon with those at Stripe, so that what is charged is what is shown.
 * @returns the plans that cannot be bought, since their price is archived; their members keep them
 * @throws DomainError PRICE_WRONG: one sentence that names the variable; STRIPE_UNAVAILABLE
 */
export const assertPrices = async (
  prices: readonly PlanPrice[],
  couponId: string | undefined,
  stripe: ReadsPrices,
): Promise<readonly PlanPrice[]> => {
  const archived: PlanPrice[] = [];
  for (const plan of prices) {
    const price = await stripe.readPrice(plan.priceId);
    const problem = problemOf(plan, price);
    if (problem !== undefined) throw wrong(plan.variable, plan.priceId, problem);
    if (price?.isActive === false) archived.push(plan);
  }
  const ids = prices.map(({ priceId }) => priceId);
  const twice = prices.find(({ priceId }, index) => ids.indexOf(priceId) !== index);
  if (twice) throw wrong(twice.variable, twice.priceId, 'as another plan is');
  await assertCoupon(prices, couponId, stripe);
  return archived;
};
