import { livingCustomer } from '../engine/customers.ts';
import { expireSession } from '../engine/checkout.ts';
import { invalid } from '../engine/failure.ts';
import { assertActive } from '../engine/catalogue.ts';
import type { Session } from '../engine/objects.ts';
import type { SessionPlan } from '../engine/tables.ts';
import type { Tx } from '../engine/transaction.ts';
import {
  choiceOf,
  clearable,
  integerOf,
  mergedMetadata,
  recordOf,
  recordsOf,
  requiredText,
  textOf,
  urlOf,
  type Form,
} from './form.ts';
import { checkoutAmounts, lineItemsOf } from './line-items.ts';
import { equals, page, pageParameters, rangeFilter } from './lists.ts';
import type { Route } from './route.ts';
import { taxOf } from './tax.ts';

const sessionSeconds = 86_400;
const minSessionSeconds = 1_800;

/** Accepted and without effect here. */
const withoutEffect = [
  'allow_promotion_codes',
  'consent_collection',
  'custom_text',
  'locale',
  'payment_method_collection',
  'payment_method_types',
  'saved_payment_method_options',
  'submit_type',
  'ui_mode',
];

const couponOf = (tx: Tx, form: Form): string | null => {
  const [discount] = recordsOf(form, 'discounts');
  if (!discount) return null;
  if (textOf(form, 'allow_promotion_codes') !== undefined)
    throw invalid('You may only specify one of these parameters: allow_promotion_codes, discounts.');
  const id = requiredText(discount, 'coupon');
  if (!tx.get('coupon', id))
    throw invalid(`No such coupon: '${id}'`, 'discounts[0][coupon]', 'resource_missing');
  return id;
};

const planOf = (tx: Tx, form: Form): Omit<SessionPlan, 'id'> => {
  const items = recordsOf(form, 'line_items');
  const [item] = items;
  if (!item || items.length !== 1)
    throw invalid('The sandbox sells one price at a time.', 'line_items', 'parameter_missing');
  const id = requiredText(item, 'price');
  const price = tx.get('price', id);
  if (!price) throw invalid(`No such price: '${id}'`, 'line_items[0][price]', 'resource_missing');
  assertActive(price, 'line_items[0][price]');
  const data = recordOf(form, 'subscription_data') ?? {};
  const days = integerOf(data, 'trial_period_days');
  return {
    price: id,
    quantity: integerOf(item, 'quantity') ?? 1,
    coupon: couponOf(tx, form),
    trialEnd: integerOf(data, 'trial_end') ?? (days === undefined ? null : tx.now + days * 86_400),
    subscriptionMetadata: mergedMetadata(data),
  };
};

const expiryOf = (tx: Tx, form: Form): number => {
  const at = integerOf(form, 'expires_at') ?? tx.now + sessionSeconds;
  if (at < tx.now + minSessionSeconds || at > tx.now + sessionSeconds)
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      'expires_at',
    );
  return at;
};

const buyerOf = (tx: Tx, form: Form): Pick<Session, 'customer' | 'customer_email'> => {
  const customer = clearable(form, 'customer') ?? null;
  const email = clearable(form, 'customer_email') ?? null;
  if (customer !== null && email !== null)
    throw invalid('You may only specify one of these parameters: customer, customer_email.');
  if (customer !== null) livingCustomer(tx, customer);
  return { customer, customer_email: email };
};

const createSession = (tx: Tx, form: Form): Session => {
  const mode = choiceOf(form, 'mode', ['subscription']);
  if (mode === undefined) throw invalid('Missing required param: mode.', 'mode', 'parameter_missing');
  const plan = planOf(tx, form);
  const amounts = checkoutAmounts(tx, plan);
  const buyer = buyerOf(tx, form);
  requiredText(form, 'success_url');
  const id = tx.newId('cs_test');
  const session: Session = {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: amounts.subtotal,
    amount_total: amounts.total,
    ...taxOf(tx, form, buyer.customer),
    cancel_url: urlOf(form, 'cancel_url'),
    client_reference_id: clearable(form, 'client_reference_id') ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: tx.now,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    ...buyer,
    customer_account: null,
    customer_creation: buyer.customer === null ? 'always' : null,
    customer_details: null,
    discounts: plan.coupon === null ? [] : [{ coupon: plan.coupon, promotion_code: null }],
    expires_at: expiryOf(tx, form),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: mergedMetadata(form),
    mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: urlOf(form, 'success_url') ?? '',
    total_details: { amount_discount: amounts.discount, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${tx.rules.publicUrl}/c/pay/${id}`,
    wallet_options: null,
  };
  tx.put('session', session);
  tx.put('session_plan', { id, ...plan });
  return session;
};

export const checkoutRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    accepts: [
      'mode',
      'line_items',
      'success_url',
      'cancel_url',
      'client_reference_id',
      'customer',
      'customer_email',
      'discounts',
      'expires_at',
      'metadata',
      'subscription_data',
      'automatic_tax',
      'billing_address_collection',
      'customer_update',
      'tax_id_collection',
      ...withoutEffect,
    ],
    run: ({ tx, form }) => createSession(tx, form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    accepts: [...pageParameters, 'customer', 'subscription', 'status', 'created'],
    run: ({ tx, form }) => {
      const isCreated = rangeFilter(form, 'created');
      const rows = tx
        .all('session')
        .filter(equals<Session>(form, 'customer', 'subscription', 'status'))
        .filter(({ created }) => isCreated(created));
      return page(rows.toReversed(), form, '/v1/checkout/sessions');
    },
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    accepts: [],
    run: ({ tx, id }) => tx.require('session', id),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    accepts: [...pageParameters],
    run: ({ tx, id }) => lineItemsOf(tx, tx.require('session', id).id),
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    accepts: [],
    run: ({ tx, id }) => expireSession(tx, tx.require('session', id)),
  },
];
