import type { AccountId } from '@tapedeck/kernel';
import type { SubscriptionEvent } from './subscription-events.ts';
import { evolve, noSubscription, type Claimant, type Subscription } from './subscription.ts';

export type Buyer = Readonly<{ accountId: AccountId | null; intentId: string | null | undefined }>;

/**
 * `buyer`: the account where it is now, else the address that has paid. `payer`: the address that was typed at the checkout.
 * `billing`: that one too, or the account where it is now if that has begun the checkout.
 */
export type Address = Readonly<{ of: 'buyer' | 'payer' | 'billing' } & Buyer>;

/** The account that pays; null where that is not known, or once it is deleted. */
export const presentPayerOf = ({
  payer,
  closedAccounts,
}: Pick<Subscription, 'payer' | 'closedAccounts'>): Claimant | null =>
  payer && !closedAccounts.includes(payer.accountId) ? payer : null;

/**
 * Receipts and refunds go to whoever pays. An address that was typed for them is not that of a payer who has taken the purchase
 * over from another account, nor of an owner who got it from one; and an owner who got it from support does not learn it.
 */
export const billingAddressOf = (state: Subscription): Address => {
  const { owner, payer, observed } = state;
  const present = presentPayerOf(state);
  const account = present ?? owner;
  const of = account?.isHandedOver === true || (payer && !present) ? 'buyer' : 'billing';
  if (of === 'billing' && !payer && owner?.proof === 'support')
    return { of: 'payer', accountId: null, intentId: owner.intentId };
  const intentId = account?.intentId ?? observed?.intentId;
  return { of, accountId: account?.accountId ?? null, intentId };
};

/** The same, from the events of a subscription. */
export const billingAddressIn = (events: readonly SubscriptionEvent[]): Address =>
  billingAddressOf(events.reduce(evolve, noSubscription));
