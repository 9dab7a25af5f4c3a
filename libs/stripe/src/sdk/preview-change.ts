import type { Clock } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { PlanPreview } from '../port.ts';
import { orUnavailable } from './errors.ts';
import type { PriceBook } from './price-book.ts';
import { itemOf, pricesOf } from './results.ts';
import { isoOf } from './values.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export type PriceChange = Readonly<{
  itemId: string;
  price: string;
  /** In seconds. */
  prorationDate: number;
}>;

/** The invoice that an upgrade would make, as Stripe computes it. */
export const previewInvoice = (
  stripe: Stripe,
  subscription: string,
  { itemId, price, prorationDate }: PriceChange,
): Promise<Stripe.Invoice> =>
  orUnavailable(
    stripe.invoices.createPreview({
      subscription,
      subscription_details: {
        items: [{ id: itemId, price }],
        proration_behavior: 'always_invoice',
        proration_date: prorationDate,
      },
    }),
  );

/** What changing the price now would charge, computed by Stripe. */
export const previewChange = async (
  { stripe, clock, priceBook }: Readonly<{ stripe: Stripe; clock: Clock; priceBook: PriceBook }>,
  subscriptionId: string,
  price: string,
): Promise<PlanPreview> => {
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription, await priceBook(pricesOf(subscription)));
  const prorationDate = Math.floor(clock.now() / 1_000);
  const invoice = await previewInvoice(stripe, subscriptionId, { itemId: item.id, price, prorationDate });
  const lines = invoice.lines.data;
  const next = await orUnavailable(stripe.prices.retrieve(price));
  return {
    dueNow: invoice.amount_due,
    credit: -sum(lines.map(({ amount }) => amount).filter((amount) => amount < 0)),
    nextAmount: next.unit_amount ?? 0,
    nextAt: isoOf(Math.max(item.current_period_end, ...lines.map(({ period }) => period.end))),
    currency: invoice.currency,
    prorationDate: isoOf(prorationDate),
  };
};
