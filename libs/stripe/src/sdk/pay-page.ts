import type { Stripe } from 'stripe';
import type { InvoicePages } from '../port.ts';
import { orMissing } from './errors.ts';
import type { PageOfProvider } from './provider-pages.ts';

type Pages = Readonly<{ stripe: Stripe; pageOf: PageOfProvider }>;

/** The page on which the newest invoice can be paid. */
export const payPageOf = async (
  { stripe, pageOf }: Pages,
  subscriptionId: string,
): Promise<string | null> => {
  const subscription = await orMissing(
    stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] }),
  );
  const invoice = subscription?.latest_invoice;
  return typeof invoice === 'object' && invoice?.status === 'open'
    ? pageOf(invoice.hosted_invoice_url)
    : null;
};

/** The page and the document of an invoice. */
export const invoicePagesOf = async ({ stripe, pageOf }: Pages, invoiceId: string): Promise<InvoicePages> => {
  const invoice = await orMissing(stripe.invoices.retrieve(invoiceId));
  return { page: pageOf(invoice?.hosted_invoice_url), pdf: pageOf(invoice?.invoice_pdf) };
};
