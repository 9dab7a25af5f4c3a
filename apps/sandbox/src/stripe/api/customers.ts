import { attachCard, cardBehaviour, detachCard } from '../engine/cards.ts';
import { createCustomer, deleteCustomer, livingCustomer, updateCustomer } from '../engine/customers.ts';
import { invalid } from '../engine/failure.ts';
import type { Customer, PaymentMethod } from '../engine/objects.ts';
import { cancelSubscription, finalStatuses } from '../engine/subscription-state.ts';
import type { Tx } from '../engine/transaction.ts';
import { clearable, mergedMetadata, recordOf, requiredText, type Form } from './form.ts';
import { equals, page, pageParameters, rangeFilter } from './lists.ts';
import type { Route } from './route.ts';

/** `address` and `shipping` have no effect here: no customer has them. */
const fields = [
  'email',
  'name',
  'phone',
  'description',
  'address',
  'shipping',
  'metadata',
  'invoice_settings',
];

const checkEmail = (email: string | null | undefined): void => {
  if (typeof email === 'string' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, 'email', 'email_invalid');
};

const settingsPatch = (tx: Tx, form: Form, customer: Customer): Partial<Customer> => {
  const settings = recordOf(form, 'invoice_settings');
  const method = settings && clearable(settings, 'default_payment_method');
  if (method === undefined) return {};
  if (method !== null) tx.require('payment_method', method, 'invoice_settings[default_payment_method]');
  return { invoice_settings: { ...customer.invoice_settings, default_payment_method: method } };
};

const detailsPatch = (form: Form): Partial<Customer> => {
  const entries = (['email', 'name', 'phone', 'description'] as const).map(
    (name) => [name, clearable(form, name)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

const isForgotten = ({ email, name }: Customer): boolean => email === null && name === null;

export const customerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    accepts: [...fields, 'payment_method'],
    run: ({ tx, form }) => {
      const email = clearable(form, 'email') ?? null;
      checkEmail(email);
      return createCustomer(tx, {
        email,
        name: clearable(form, 'name') ?? null,
        phone: clearable(form, 'phone') ?? null,
        description: clearable(form, 'description') ?? null,
        metadata: mergedMetadata(form),
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    accepts: [...pageParameters, 'email', 'created'],
    run: ({ tx, form }) => {
      const isCreated = rangeFilter(form, 'created');
      const rows = tx
        .all('customer')
        .filter((row): row is Customer => !row.deleted && isCreated(row.created))
        .filter(equals<Customer>(form, 'email'));
      return page(rows.toReversed(), form, '/v1/customers');
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    accepts: [],
    run: ({ tx, id }) => tx.require('customer', id),
  },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    accepts: fields,
    run: ({ tx, form, id, forget }) => {
      const customer = livingCustomer(tx, id, 'id');
      const patch = detailsPatch(form);
      checkEmail(patch.email);
      const after = updateCustomer(tx, customer, {
        ...patch,
        ...settingsPatch(tx, form, customer),
        metadata: mergedMetadata(form, customer.metadata),
      });
      if (isForgotten(after) && !isForgotten(customer)) forget(id);
      return after;
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    accepts: [],
    run: ({ tx, id, forget }) => {
      const customer = livingCustomer(tx, id, 'id');
      for (const subscription of tx.related('subscription', id)) {
        if (!finalStatuses.has(subscription.status))
          cancelSubscription(tx, subscription, 'cancellation_requested');
      }
      forget(id);
      return deleteCustomer(tx, customer);
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    accepts: [...pageParameters, 'type'],
    run: ({ tx, form, id }) => {
      const rows = tx.related('payment_method', id);
      return page(rows.toReversed(), form, `/v1/customers/${id}/payment_methods`);
    },
  },
];

/** Test tokens such as `pm_card_visa` do not exist: cards are named by what they do. */
const attach = (tx: Tx, form: Form, id: string): PaymentMethod => {
  const customer = livingCustomer(tx, requiredText(form, 'customer'));
  const behaviour = id.startsWith('pm_card_') ? id.slice('pm_card_'.length) : '';
  return attachCard(tx, cardBehaviour(behaviour), customer.id, customer.email);
};

export const paymentMethodRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/payment_methods',
    accepts: [...pageParameters, 'customer', 'type'],
    run: ({ tx, form }) => {
      const rows = tx.related('payment_method', requiredText(form, 'customer'));
      return page(rows.toReversed(), form, '/v1/payment_methods');
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    accepts: [],
    run: ({ tx, id }) => tx.require('payment_method', id),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    accepts: ['customer'],
    run: ({ tx, form, id }) => attach(tx, form, id),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    accepts: [],
    run: ({ tx, id }) => detachCard(tx, id),
  },
];
