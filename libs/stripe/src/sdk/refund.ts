import type { Stripe } from 'stripe';
import type { StripeRequests, StripeResult } from '../port.ts';
import { isRefusalOf, orRefused, orUnavailable } from './errors.ts';
import { done } from './results.ts';
import type { RequestOptions } from './request-options.ts';
import { collect, idOf } from './values.ts';

/** In the metadata of a refund: the key of the request that has made it. */
const requestField = 'tapedeck_request';

/** The request was made earlier. Stripe remembers its key for a day only, and a part could be refunded again. */
const wasMade = async (stripe: Stripe, paymentIntent: string, key: string): Promise<boolean> => {
  const refunds = await orUnavailable(
    collect(stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 })),
  );
  return refunds.some(({ metadata }) => metadata?.[requestField] === key);
};

const refundPart = async (
  { stripe }: RequestOptions,
  paymentIntent: string,
  { key, amount }: Readonly<{ key: string; amount: number }>,
): Promise<StripeResult> => {
  if (await wasMade(stripe, paymentIntent, key)) return done;
  const created = stripe.refunds.create(
    { payment_intent: paymentIntent, amount, metadata: { [requestField]: key } },
    { idempotencyKey: key },
  );
  const result = await orRefused(created);
  const isTooLarge = await created.then(
    () => false,
    (error: unknown) => isRefusalOf(error, 'amount'),
  );
  if (!result.refused || !isTooLarge) return result;
  return { refused: { ...result.refused, code: 'REFUND_TOO_LARGE' } };
};

/** What is not refunded yet of the charge that has paid an invoice, or a part of it. */
export const refund = async (
  options: RequestOptions,
  { key, invoiceId, amount }: Parameters<StripeRequests['refund']>[0],
): Promise<StripeResult> => {
  const { stripe } = options;
  const invoice = await orUnavailable(stripe.invoices.retrieve(invoiceId, { expand: ['payments'] }));
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
  const paymentIntent = idOf(paid?.payment.payment_intent);
  if (paymentIntent === null) return done;
  const result =
    amount === undefined
      ? await orRefused(stripe.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey: key }))
      : await refundPart(options, paymentIntent, { key, amount });
  // Somebody has done it at Stripe.
  return result.refused?.code === 'charge_already_refunded' ? done : result;
};
