import type { RecordedEvent } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { SubscriptionEvent } from './subscription-events.ts';
import { provesPayment } from './subscription.ts';

type Recorded = RecordedEvent<SubscriptionEvent>;
type Claim = Extract<Recorded, { type: 'PaymentClaimed' | 'PaymentTransferred' }>;

const isClaim = (event: Recorded): event is Claim =>
  event.type === 'PaymentClaimed' || event.type === 'PaymentTransferred';

const claimantOf = ({ type, data }: Claim): AccountId =>
  type === 'PaymentClaimed' ? data.accountId : data.toAccountId;

export type SeenPayment = Readonly<{
  invoiceId: string;
  /** The account pays it: an invoice names who has. */
  isOwn: boolean;
}>;

/**
 * The payments of a subscription that an account sees: all where it pays, otherwise those of the time in which it has owned it.
 * What was paid before the first claim belongs to the first owner.
 */
export const paymentsSeenBy = (events: readonly Recorded[], account: AccountId): readonly SeenPayment[] => {
  const claims = events.filter(isClaim);
  const payer = claims.findLast(({ data }) => provesPayment(data.proof));
  const isOwn = payer !== undefined && claimantOf(payer) === account;
  return events.flatMap(({ type, data, version }) => {
    if (type !== 'PaymentRecorded') return [];
    const claim = claims.findLast((one) => one.version <= version) ?? claims[0];
    const isSeen = isOwn || (claim !== undefined && claimantOf(claim) === account);
    return isSeen ? [{ invoiceId: data.invoiceId, isOwn }] : [];
  });
};
