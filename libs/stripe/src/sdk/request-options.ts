import type { Stripe } from 'stripe';
import type { PriceList } from '../port.ts';
import type { PageOfProvider } from './provider-pages.ts';

export type RequestOptions = Readonly<{
  stripe: Stripe;
  prices: PriceList;
  introCoupon: string | undefined;
  /** Whether Stripe computes taxes, for which a checkout asks the buyer for an address and the tax id of a business. */
  collectsTax?: boolean;
  /** Stripe's own pages by default. */
  pageOf?: PageOfProvider;
}>;
