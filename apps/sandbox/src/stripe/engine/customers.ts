import { invalid } from './failure.ts';
import type { Customer, DeletedCustomer } from './objects.ts';
import { change, type Tx } from './transaction.ts';

export type CustomerDetails = Readonly<{
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  metadata: Readonly<Record<string, string>>;
}>;

export const noDetails: CustomerDetails = {
  email: null,
  name: null,
  phone: null,
  description: null,
  metadata: {},
};

export const createCustomer = (tx: Tx, details: CustomerDetails): Customer => {
  const id = tx.newId('cus');
  const customer: Customer = {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: tx.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: details.description,
    discount: null,
    email: details.email,
    invoice_prefix: id.slice(4, 12).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: details.metadata,
    name: details.name,
    next_invoice_sequence: 1,
    phone: details.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  tx.put('customer', customer);
  tx.emit('customer.created', customer);
  return customer;
};

/** @throws StripeFailure when the customer is unknown or deleted */
export const livingCustomer = (tx: Tx, id: string, param = 'customer'): Customer => {
  const customer = tx.require('customer', id, param);
  if (customer.deleted) throw invalid(`No such customer: '${id}'`, param, 'resource_missing');
  return customer;
};

export const updateCustomer = (tx: Tx, customer: Customer, patch: Partial<Customer>): Customer =>
  change(tx, 'customer', customer, patch, 'customer.updated') as Customer;

/** The row remains as a mark; the caller cancels the subscriptions first. */
export const deleteCustomer = (tx: Tx, customer: Customer): DeletedCustomer => {
  const deleted: DeletedCustomer = { id: customer.id, object: 'customer', deleted: true };
  for (const method of tx.related('payment_method', customer.id))
    tx.put('payment_method', { ...method, customer: null });
  tx.put('customer', deleted);
  tx.emit('customer.deleted', customer);
  return deleted;
};
