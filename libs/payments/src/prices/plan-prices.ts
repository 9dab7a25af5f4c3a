import { DomainError } from '@tapedeck/kernel';
import { paidPlans, priceOf, type Plan } from '@tapedeck/plans/contract';
import type { StripeReads } from '@tapedeck/stripe/port';
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

const wrongPrice = (plan: PlanPrice, problem: string): DomainError =>
  new DomainError(
    'invalid',
    'PRICE_WRONG',
    `${plan.variable} is ${plan.priceId}, ${problem}: correct the variable, or the price in Stripe.`,
  );

const problemOf = async (
  plan: PlanPrice,
  stripe: Pick<StripeReads, 'readPrice'>,
): Promise<string | undefined> => {
  const price = await stripe.readPrice(plan.priceId);
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
  return price.isActive ? undefined : 'which is archived';
};

/**
 * Compares the configured prices with those at Stripe, so that what is charged is what is shown.
 * @throws DomainError PRICE_WRONG: one sentence that names the variable; STRIPE_UNAVAILABLE
 */
export const assertPrices = async (
  prices: readonly PlanPrice[],
  stripe: Pick<StripeReads, 'readPrice'>,
): Promise<void> => {
  for (const plan of prices) {
    const problem = await problemOf(plan, stripe);
    if (problem !== undefined) throw wrongPrice(plan, problem);
  }
  const ids = prices.map(({ priceId }) => priceId);
  const twice = prices.find(({ priceId }, index) => ids.indexOf(priceId) !== index);
  if (twice) throw wrongPrice(twice, 'as another plan is');
};
