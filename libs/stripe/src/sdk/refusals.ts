import { DomainError } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { Refusal } from '../port.ts';

/** A refusal of our own: Stripe was asked for nothing that changes anything. */
export const refusedWith = (code: string, message: string): Refusal => ({
  refused: { code, message, fixUrl: null },
});

export const amountChanged = refusedWith('AMOUNT_CHANGED', 'The amount differs from the one that was shown.');

/** @throws DomainError SUBSCRIPTION_EMPTY */
export const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = subscription.items.data;
  if (item) return item;
  throw new DomainError('conflict', 'SUBSCRIPTION_EMPTY', 'This subscription has no plan to change.');
};
