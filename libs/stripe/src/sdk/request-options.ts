import type { Stripe } from 'stripe';
import type { PriceList } from '../port.ts';

export type RequestOptions = Readonly<{ stripe: Stripe; prices: PriceList; introCoupon: string | undefined }>;
