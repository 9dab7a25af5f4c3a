import type { Clock } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { PriceList } from '../port.ts';
import type { PriceBook } from './price-book.ts';
import type { PageOfProvider } from './provider-pages.ts';

export type StripeRequestsOptions = Readonly<{
  stripe: Stripe;
  prices: PriceList;
  clock: Clock;
  introCoupon: string | undefined;
  /** Whether Stripe computes taxes, for which a checkout asks the buyer for an address and the tax id of a business. */
  collectsTax?: boolean;
  /** Stripe's own pages by default. */
  pageOf?: PageOfProvider;
}>;

export type RequestOptions = StripeRequestsOptions & Readonly<{ priceBook: PriceBook }>;
