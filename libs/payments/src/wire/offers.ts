import * as z from 'zod';
import { PaidTierName, Period } from './plan-names.ts';

export const PlanOffer = z.object({
  tier: PaidTierName,
  period: Period,
  amount: z.number().int(),
  currency: z.string(),
  /** The amount of the first month (docs/product-decisions.md#introductory-price); null for plans without one. */
  introAmount: z.number().int().nullable(),
});

/** This module's part of `GET /api/config`. */
export const PaymentsClientConfig = z.object({
  plans: z.array(PlanOffer),
  /** Whether taxes are computed for the buyer's address, at the checkout. */
  hasTaxes: z.boolean(),
});
export type PaymentsClientConfig = z.infer<typeof PaymentsClientConfig>;
