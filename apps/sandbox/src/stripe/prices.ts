import { paidPlans, planKey, type Plan } from '@tapedeck/plans/contract';

/** The price of a plan at the stand-in, whose ids never change. */
export const priceId = (plan: Plan): string => `price_${planKey(plan)}`;

/**
 * The settings of the product that name these prices, for the launcher.
 * @public
 */
export const priceVariables: Readonly<Record<string, string>> = Object.fromEntries(
  paidPlans.map((plan) => [`STRIPE_PRICE_${planKey(plan).toUpperCase()}`, priceId(plan)]),
);
