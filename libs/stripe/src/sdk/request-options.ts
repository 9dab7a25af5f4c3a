import type { Stripe } from 'stripe';
import type { PriceList } from '../port.ts';
import type { PageOfProvider } from './provider-pages.ts';

export type RequestOptions = Readonly<{
  stripe: Stripe;
  prices: PriceList;
  introCoupon: string | undefined;
  /** Stripe's own pages by default. */
  pageOf?: PageOfProvider;
}>;
