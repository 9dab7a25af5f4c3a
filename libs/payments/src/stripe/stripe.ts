import type { Clock } from '@tapedeck/kernel';
import type { PaymentsConfig } from '@tapedeck/platform/config';
import { priceListOf } from './plan-prices.ts';
import type { StripePort } from '../stripe-port.ts';
import { createStripe } from './client.ts';
import { stripeReads } from './reads.ts';
import { stripeWrites } from './writes.ts';

/** For Nest: the `StripePort`. */
export const STRIPE = Symbol('Stripe');

/** Stripe by its SDK, or the stand-in that `STRIPE_API_URL` names. */
export const openStripe = (config: PaymentsConfig, clock: Clock): StripePort => {
  const stripe = createStripe(config);
  const prices = priceListOf(config);
  return {
    ...stripeReads({ stripe, prices, clock }),
    ...stripeWrites({ stripe, prices, introCoupon: config.STRIPE_INTRO_COUPON }),
  };
};
