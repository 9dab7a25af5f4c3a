import type { ReadStream } from '@tapedeck/eventing';
import type { AccountId, DomainError } from '@tapedeck/kernel';
import { isSamePlan } from '@tapedeck/plans/contract';
import type pg from 'pg';
import type { Billing } from '../contract.ts';
import { notVerified, type KeyedHashes } from '../http/buyer-proofs.ts';
import type { PlanPrice } from '../prices/plan-prices.ts';
import { purchaseRefusalOf } from '../projections/subscriptions.ts';
import { wouldHaveIntro } from './intro-price.ts';

export type OffersFor = Readonly<{
  accountId: AccountId;
  /** The verified address; null without one. */
  email: string | null;
  subscription: Billing['subscription'];
  now: string;
}>;

/** What an account would be charged for each plan, and why it may not buy one. */
export type MemberOffers = (member: OffersFor) => Promise<Pick<Billing, 'offers' | 'purchaseRefusal'>>;

type Parts = Readonly<{
  pool: pg.Pool;
  read: ReadStream;
  hashes: KeyedHashes;
  prices: readonly PlanPrice[];
  /** Whether the introductory price is given at all. */
  hasIntro: () => boolean;
}>;

/** The same rules as those of a checkout (docs/product-decisions.md#introductory-price), without reserving anything. */
export const memberOffers = ({ pool, read, hashes, prices, hasIntro: isGiven }: Parts): MemberOffers => {
  const refusalFor = async ({ accountId, email }: OffersFor): Promise<DomainError | null> =>
    email === null ? notVerified() : purchaseRefusalOf(pool, accountId);

  return async (member) => {
    const { accountId, email, subscription, now } = member;
    const refusal = await refusalFor(member);
    const hasIntro =
      isGiven() &&
      refusal === null &&
      email !== null &&
      (await wouldHaveIntro(read, { accountId, emailHash: hashes.ofEmail(email) }, now));
    return {
      offers: prices.map(({ priceId: _id, variable: _variable, ...plan }) =>
        refusal && subscription && isSamePlan(plan, subscription)
          ? { ...plan, amount: subscription.amount, currency: subscription.currency, introAmount: null }
          : { ...plan, introAmount: hasIntro ? plan.introAmount : null },
      ),
      purchaseRefusal: refusal && { code: refusal.code, message: refusal.message },
    };
  };
};
