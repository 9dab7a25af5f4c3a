import { DomainError } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { StripeRequests } from '../port.ts';
import { isRefusalOf, orUnavailable } from './errors.ts';
import { priceIdOf } from './price-book.ts';
import { isoOf } from './values.ts';
import type { RequestOptions } from './request-options.ts';

const soldPrice = 'line_items[0][price]';

/** Of an archived price. */
const notSold = (): DomainError =>
  new DomainError(
    'conflict',
    'PLAN_NOT_SOLD',
    'This plan cannot be bought at the moment: choose another one. Nothing was charged.',
  );

const introDiscount = 'discounts[0][coupon]';

/** The coupon was deleted, or has expired. */
const introRefused = (): DomainError =>
  new DomainError(
    'conflict',
    'INTRO_PRICE_REFUSED',
    'The introductory price is no longer available. Choose the plan again to buy it at its usual price. Nothing was charged.',
  );

/** A customer of an earlier purchase gets the name and the address that are entered now: Stripe demands the permission. */
const taxParameters = (customerId: string | null): Stripe.Checkout.SessionCreateParams => ({
  automatic_tax: { enabled: true },
  billing_address_collection: 'required',
  tax_id_collection: { enabled: true },
  ...(customerId === null ? {} : { customer_update: { address: 'auto', name: 'auto' } }),
});

type SessionRequest = Parameters<StripeRequests['createSession']>[0];

const openSession = async (
  { stripe, prices, introCoupon, collectsTax = false }: RequestOptions,
  session: SessionRequest,
): ReturnType<StripeRequests['createSession']> => {
  const { intentId, plan, email, customerId, intro } = session;
  const metadata = { intentId };
  const created = await orUnavailable(
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        client_reference_id: intentId,
        metadata,
        line_items: [{ price: priceIdOf(plan, prices), quantity: 1 }],
        subscription_data: { metadata },
        ...(customerId === null ? { customer_email: email } : { customer: customerId }),
        ...(intro && introCoupon !== undefined ? { discounts: [{ coupon: introCoupon }] } : {}),
        ...(collectsTax ? taxParameters(customerId) : {}),
        success_url: session.successUrl,
        cancel_url: session.cancelUrl,
      },
      { idempotencyKey: session.key },
    ),
  );
  if (created.url === null) throw new Error(`The checkout session ${created.id} has no page.`);
  return { sessionId: created.id, url: created.url, expiresAt: isoOf(created.expires_at) };
};

/** A checkout session. @throws DomainError PLAN_NOT_SOLD, INTRO_PRICE_REFUSED */
export const createSession = async (
  options: RequestOptions,
  session: SessionRequest,
): ReturnType<StripeRequests['createSession']> => {
  try {
    return await openSession(options, session);
  } catch (error) {
    if (isRefusalOf(error, soldPrice)) throw notSold();
    if (isRefusalOf(error, introDiscount)) throw introRefused();
    // Somebody has deleted the customer at Stripe: the buyer is a new one there.
    if (session.customerId === null || !isRefusalOf(error, 'customer')) throw error;
    return openSession(options, { ...session, key: `${session.key}-new-customer`, customerId: null });
  }
};
