import type { Stripe } from 'stripe';
import { orMissing } from './errors.ts';

/** The page on which the newest invoice can be paid. */
export const payPageOf = async (stripe: Stripe, subscriptionId: string): Promise<string | null> => {
  const subscription = await orMissing(
    stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] }),
  );
  const invoice = subscription?.latest_invoice;
  return typeof invoice === 'object' && invoice?.status === 'open'
    ? (invoice.hosted_invoice_url ?? null)
    : null;
};
