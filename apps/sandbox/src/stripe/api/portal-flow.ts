import { invalid } from '../engine/failure.ts';
import type { PortalSession } from '../engine/objects.ts';
import type { Tx } from '../engine/transaction.ts';
import { choiceOf, integerOf, recordOf, recordsOf, requiredText, textOf, type Form } from './form.ts';

type Flow = NonNullable<PortalSession['flow']>;

const flowTypes = [
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
  'subscription_update_confirm',
] as const;

const afterCompletion = (data: Form): Flow['after_completion'] => {
  const after = recordOf(data, 'after_completion') ?? {};
  const redirect = recordOf(after, 'redirect');
  return {
    hosted_confirmation: null,
    redirect: redirect ? { return_url: requiredText(redirect, 'return_url') } : null,
    type: redirect ? 'redirect' : 'portal_homepage',
  };
};

const subscriptionIn = (tx: Tx, data: Form, type: string, customer: string): string => {
  const id = requiredText(recordOf(data, type) ?? {}, 'subscription');
  const subscription = tx.require('subscription', id, `flow_data[${type}][subscription]`);
  if (subscription.customer !== customer)
    throw invalid('The subscription does not belong to the customer.', `flow_data[${type}][subscription]`);
  return id;
};

const confirmed = (data: Form, subscription: string): NonNullable<Flow['subscription_update_confirm']> => {
  const details = recordOf(data, 'subscription_update_confirm') ?? {};
  return {
    discounts: null,
    items: recordsOf(details, 'items').map((item) => ({
      id: textOf(item, 'id') ?? null,
      price: requiredText(item, 'price'),
      quantity: integerOf(item, 'quantity') ?? 1,
    })),
    subscription,
  };
};

/** The one step that a portal session was made for. */
export const flowOf = (tx: Tx, form: Form, customer: string): Flow | null => {
  const data = recordOf(form, 'flow_data');
  if (!data) return null;
  const type = choiceOf(data, 'type', flowTypes);
  if (type === undefined)
    throw invalid('Missing required param: flow_data[type].', 'flow_data[type]', 'parameter_missing');
  const subscription = type === 'payment_method_update' ? '' : subscriptionIn(tx, data, type, customer);
  return {
    after_completion: afterCompletion(data),
    customer_update: null,
    subscription_cancel: type === 'subscription_cancel' ? { retention: null, subscription } : null,
    subscription_pause: null,
    subscription_update: type === 'subscription_update' ? { subscription } : null,
    subscription_update_confirm:
      type === 'subscription_update_confirm' ? confirmed(data, subscription) : null,
    type,
  };
};
