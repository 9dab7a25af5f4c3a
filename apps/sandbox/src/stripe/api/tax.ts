import { livingCustomer } from '../engine/customers.ts';
import { invalid } from '../engine/failure.ts';
import type { Session } from '../engine/objects.ts';
import type { Tx } from '../engine/transaction.ts';
import { choiceOf, flagOf, recordOf, type Form } from './form.ts';

type Tax = Pick<Session, 'automatic_tax' | 'billing_address_collection' | 'tax_id_collection'>;

const isEnabled = (form: Form, name: string): boolean =>
  flagOf(recordOf(form, name) ?? {}, 'enabled') ?? false;

/** What Stripe says of a customer whose name and address the checkout may not change. */
const assertMayChange = (tx: Tx, form: Form, customer: string | null): void => {
  const update = recordOf(form, 'customer_update');
  if (customer === null) {
    if (update) throw invalid('`customer_update` can only be used with `customer`.', 'customer_update');
    return;
  }
  const mayChange = (field: string): boolean => choiceOf(update ?? {}, field, ['auto', 'never']) === 'auto';
  if (isEnabled(form, 'tax_id_collection') && !mayChange('name'))
    throw invalid(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
      'customer_update',
    );
  const hasAddress = livingCustomer(tx, customer).address !== null;
  if (isEnabled(form, 'automatic_tax') && !hasAddress && !mayChange('address'))
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set `customer_update[address]` to 'auto'.",
      'automatic_tax',
      'customer_tax_location_invalid',
    );
};

/** What a checkout asks of the buyer because of taxes. The stand-in computes none. */
export const taxOf = (tx: Tx, form: Form, customer: string | null): Tax => {
  assertMayChange(tx, form, customer);
  const enabled = isEnabled(form, 'automatic_tax');
  return {
    automatic_tax: {
      enabled,
      liability: enabled ? { type: 'self' } : null,
      provider: enabled ? 'stripe' : null,
      status: enabled ? 'requires_location_inputs' : null,
    },
    billing_address_collection: choiceOf(form, 'billing_address_collection', ['auto', 'required']) ?? null,
    tax_id_collection: { enabled: isEnabled(form, 'tax_id_collection'), required: 'never' },
  };
};
