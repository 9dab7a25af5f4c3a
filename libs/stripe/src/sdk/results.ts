import { DomainError } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { Refusal, StripeResult } from '../port.ts';
import { planItem, type PlanOf } from './price-book.ts';

/** Done, or done before. */
export const done: StripeResult = {};

/** A refusal of our own: Stripe was asked for nothing that changes anything. */
export const refusedWith = (code: string, message: string): Refusal => ({
  refused: { code, message, fixUrl: null },
});

export const amountChanged = refusedWith('AMOUNT_CHANGED', 'The amount differs from the one that was shown.');

/**
 * The item that is the plan. Of several that belong to no plan it is not known which one to change.
 * @throws DomainError SUBSCRIPTION_EMPTY, PLAN_UNKNOWN
 */
export const itemOf = (subscription: Stripe.Subscription, planOf: PlanOf): Stripe.SubscriptionItem => {
  const { data: items } = subscription.items;
  const item = planItem(items, planOf);
  if (!item)
    throw new DomainError('conflict', 'SUBSCRIPTION_EMPTY', 'This subscription has no plan to change.');
  if (items.length > 1 && planOf(item.price.id) === null)
    throw new DomainError(
      'conflict',
      'PLAN_UNKNOWN',
      'Your subscription cannot be changed here at the moment: write to support.',
    );
  return item;
};

export const pricesOf = ({ items }: Stripe.Subscription): readonly string[] =>
  items.data.map(({ price }) => price.id);
