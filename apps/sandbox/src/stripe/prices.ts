import { paidPlans, type Plan } from '@tapedeck/plans/contract';

/** The price of a plan at the stand-in, whose ids never change. */
export const priceId = ({ tier, period }: Plan): string => `price_${tier.toLowerCase()}_${period}`;

/**
 * The settings of the product that name these prices, for the launcher.
 * @public
 */
export const priceVariables: Readonly<Record<string, string>> = Object.fromEntries(
  paidPlans.map((plan) => [
    `STRIPE_PRICE_${plan.tier.toUpperCase()}_${plan.period.toUpperCase()}`,
    priceId(plan),
  ]),
);
