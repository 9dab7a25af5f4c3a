import type { Stripe } from 'stripe';
import type { InvoicePages, PayPage } from '../port.ts';
import { orMissing } from './errors.ts';
import { planItem, type PriceBook } from './price-book.ts';
import type { PageOfProvider } from './provider-pages.ts';

type Pages = Readonly<{ stripe: Stripe; pageOf: PageOfProvider }>;
type OpenPage = Readonly<{ url: string; subscription: Stripe.Subscription; invoice: Stripe.Invoice }>;

const openPageOf = async (
  { stripe, pageOf }: Pages,
  subscriptionId: string,
): Promise<OpenPage | undefined> => {
  const subscription = await orMissing(
    stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] }),
  );
  const invoice = subscription?.latest_invoice;
  if (typeof invoice !== 'object' || invoice?.status !== 'open') return undefined;
  const url = pageOf(invoice.hosted_invoice_url);
  return subscription && url !== null ? { url, subscription, invoice } : undefined;
};

/** The page on which the newest invoice can be paid. */
export const payPageOf = async (pages: Pages, subscriptionId: string): Promise<string | null> =>
  (await openPageOf(pages, subscriptionId))?.url ?? null;

/** The same, and which plan the payment changes to. */
export const explainedPayPageOf = async (
  { priceBook, ...pages }: Pages & Readonly<{ priceBook: PriceBook }>,
  subscriptionId: string,
): Promise<PayPage | null> => {
  const open = await openPageOf(pages, subscriptionId);
  if (!open) return null;
  const { url, subscription, invoice } = open;
  const items = subscription.pending_update?.subscription_items ?? [];
  const planOf = await priceBook(items.map(({ price }) => price.id));
  const plan = planOf(planItem(items, planOf)?.price.id ?? null);
  const { amount_remaining: amount, currency } = invoice;
  return { url, change: plan && { tier: plan.tier, period: plan.period, amount, currency } };
};

/** The page and the document of an invoice. */
export const invoicePagesOf = async ({ stripe, pageOf }: Pages, invoiceId: string): Promise<InvoicePages> => {
  const invoice = await orMissing(stripe.invoices.retrieve(invoiceId));
  return { page: pageOf(invoice?.hosted_invoice_url), pdf: pageOf(invoice?.invoice_pdf) };
};
