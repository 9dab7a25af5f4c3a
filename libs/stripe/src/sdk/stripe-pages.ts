import type { StripeApiConfig } from '../settings.ts';

/** The address of the page that shows an object of Stripe, by its id. */
export type StripePages = (objectId: string) => string;

const sections: Readonly<Record<string, string>> = {
  sub: 'subscriptions',
  cus: 'customers',
  in: 'invoices',
  ch: 'payments',
  pi: 'payments',
  re: 'refunds',
  dp: 'disputes',
  du: 'disputes',
  evt: 'events',
  price: 'prices',
};

const dashboard = 'https://dashboard.stripe.com';

/** In Stripe's dashboard; a stand-in has one page for everything. */
export const stripePages = ({
  STRIPE_DASHBOARD_URL: onlyPage,
  STRIPE_SECRET_KEY: key,
}: Pick<StripeApiConfig, 'STRIPE_DASHBOARD_URL' | 'STRIPE_SECRET_KEY'>): StripePages => {
  if (onlyPage) return () => onlyPage;
  const base = key.includes('_live_') ? dashboard : `${dashboard}/test`;
  return (id) => {
    const section = sections[id.slice(0, Math.max(0, id.indexOf('_')))];
    return section === undefined
      ? `${base}/search?query=${encodeURIComponent(id)}`
      : `${base}/${section}/${encodeURIComponent(id)}`;
  };
};
