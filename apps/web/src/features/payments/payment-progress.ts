import type { PaymentVerification } from '@tapedeck/payments/contract';
import { rankOf, type Tier } from '@tapedeck/plans/contract';

/** After this time the page says that it is safe to leave it. */
const delayedAfterMs = 30_000;

export type PaymentProgress =
  | 'loading'
  | 'processing'
  | 'paid'
  | 'active'
  /** It is through, and nothing more is waited for. */
  | 'received'
  | 'delayed'
  | 'returned'
  | 'taken'
  /** Its owner is not who is signed in. */
  | 'owned'
  | 'failed'
  | 'error';

export type PaymentFacts = Readonly<{
  sessionId: string | null;
  verification:
    | Pick<PaymentVerification, 'state' | 'claimed' | 'canTakeOver' | 'isOwner' | 'grantedTier'>
    | undefined;
  hasError: boolean;
  /** Of the account that is signed in; undefined while it is not known. */
  membership: Readonly<{ tier: Tier; active: boolean }> | undefined;
  waitedMs: number;
}>;

/** The membership follows the purchase. It may have a higher tier, from another one. */
const ofOwner = (
  grantedTier: PaymentVerification['grantedTier'],
  { membership, waitedMs }: Pick<PaymentFacts, 'membership' | 'waitedMs'>,
): PaymentProgress => {
  if (grantedTier === null) return 'received';
  const hasAccess = membership?.active === true && rankOf(membership.tier) >= rankOf(grantedTier);
  if (hasAccess) return 'active';
  return waitedMs > delayedAfterMs ? 'received' : 'processing';
};

/** What is true of a payment, by the server's answers alone. */
export const paymentProgress = (facts: PaymentFacts): PaymentProgress => {
  const { sessionId, verification, hasError, waitedMs } = facts;
  if (!sessionId) return 'error';
  if (!verification) return hasError ? 'error' : 'loading';
  if (verification.state === 'returned') return 'returned';
  if (verification.state === 'failed' || verification.state === 'expired') return 'failed';
  if (verification.state === 'processing') return waitedMs > delayedAfterMs ? 'delayed' : 'processing';
  if (verification.canTakeOver) return 'taken';
  if (!verification.claimed) return 'paid';
  return verification.isOwner ? ofOwner(verification.grantedTier, facts) : 'owned';
};

/** Often at first, then less and less. */
export const pollIntervalMs = (waitedMs: number): number =>
  waitedMs < 10_000 ? 1_000 : waitedMs < delayedAfterMs ? 3_000 : 15_000;
