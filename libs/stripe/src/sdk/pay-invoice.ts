import type { Stripe } from 'stripe';
import type { OpenInvoice, StripeRequests, StripeResult } from '../port.ts';
import { orMissing, orRefused, orUnavailable } from './errors.ts';
import { amountChanged, done } from './results.ts';
import type { RequestOptions } from './request-options.ts';

/** An invoice that can be paid; null for one that is not open, or unknown. */
export const openInvoice = async (stripe: Stripe, invoiceId: string): Promise<OpenInvoice | null> => {
  const invoice = await orMissing(stripe.invoices.retrieve(invoiceId));
  return invoice?.status === 'open'
    ? { invoiceId, amount: invoice.amount_remaining, currency: invoice.currency }
    : null;
};

/** Charges what was shown to the card of the subscription, or nothing. */
export const payInvoice = async (
  { stripe }: RequestOptions,
  { key, invoiceId, expectedAmount }: Parameters<StripeRequests['payInvoice']>[0],
): Promise<StripeResult> => {
  const invoice = await orUnavailable(stripe.invoices.retrieve(invoiceId));
  // The answer to an earlier attempt was lost, or the buyer has paid meanwhile.
  if (invoice.status === 'paid') return done;
  if (invoice.amount_remaining !== expectedAmount) return amountChanged;
  const page = (): Promise<string | null> => Promise.resolve(invoice.hosted_invoice_url ?? null);
  const result = await orRefused(stripe.invoices.pay(invoiceId, {}, { idempotencyKey: key }), page);
  return result.refused?.code === 'invoice_already_paid' ? done : result;
};
