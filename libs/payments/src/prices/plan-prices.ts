import { DomainError } from '@tapedeck/kernel';
import type { PaymentsConfig } from '@tapedeck/platform/config';
import { billingPeriods, paidTiers, type Plan } from '../domain/plans.ts';
import type { PriceList, StripeReads } from '@tapedeck/stripe/port';

/** A plan with its price, in minor units. */
export type PlanPrice = Plan &
  Readonly<{
    priceId: string;
    amount: number;
    currency: string;
    /** Of the first month (D30); null for a plan without one. */
    introAmount: number | null;
    /** The variable that configures the price's id. */
    variable: string;
  }>;

export const plans: readonly Plan[] = paidTiers.flatMap((tier) =>
  billingPeriods.map((period) => ({ tier, period })),
);

type PlanName = `${'PRO' | 'ELITE'}_${'MONTHLY' | 'ANNUAL'}`;

const nameOf = ({ tier, period }: Plan): PlanName =>
  `${tier.toUpperCase() as 'PRO' | 'ELITE'}_${period.toUpperCase() as 'MONTHLY' | 'ANNUAL'}`;

export const hasIntro = ({ tier, period }: Plan): boolean => tier === 'Pro' && period === 'monthly';

/** The plans that are sold. */
export const planPrices = (config: PaymentsConfig): readonly PlanPrice[] =>
  plans.map((plan) => {
    const name = nameOf(plan);
    return {
      ...plan,
      priceId: config[`STRIPE_PRICE_${name}`],
      amount: config[`${name}_AMOUNT`],
      currency: config.CURRENCY,
      introAmount: hasIntro(plan) && config.STRIPE_INTRO_COUPON !== undefined ? config.INTRO_AMOUNT : null,
      variable: `STRIPE_PRICE_${name}`,
    };
  });

export const priceListOf = (config: PaymentsConfig): PriceList => ({
  Pro: { monthly: config.STRIPE_PRICE_PRO_MONTHLY, annual: config.STRIPE_PRICE_PRO_ANNUAL },
  Elite: { monthly: config.STRIPE_PRICE_ELITE_MONTHLY, annual: config.STRIPE_PRICE_ELITE_ANNUAL },
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
 * Compares the configured prices with those at Stripe, so that nobody is charged something else than is shown.
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
