import type { Clock } from '@tapedeck/kernel';
import type { PriceList, StripePort } from './port.ts';
import { createStripe } from './sdk/client.ts';
import { withOwnErrors } from './sdk/own-errors.ts';
import { pageOfProvider } from './sdk/provider-pages.ts';
import { stripeReads } from './sdk/reads.ts';
import { stripeRequests } from './sdk/requests.ts';
import type { StripeConfig } from './settings.ts';

/** For Nest: the `StripePort`. */
export const STRIPE = Symbol('Stripe');

/** Stripe by its SDK, or the stand-in that `STRIPE_API_URL` names. */
export const openStripe = (config: StripeConfig, clock: Clock, prices: PriceList): StripePort => {
  const stripe = createStripe(config);
  const pageOf = pageOfProvider(config.STRIPE_API_URL);
  return withOwnErrors({
    ...stripeReads({ stripe, prices, clock, pageOf }),
    ...stripeRequests({
      stripe,
      prices,
      clock,
      introCoupon: config.STRIPE_INTRO_COUPON,
      collectsTax: config.STRIPE_TAX === 'yes',
      pageOf,
    }),
  });
};
