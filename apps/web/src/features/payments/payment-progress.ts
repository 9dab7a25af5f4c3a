import type { PaymentVerification } from '@tapedeck/payments/contract';

/** After this time the page says that it is safe to leave it. */
const delayedAfterMs = 30_000;

export type PaymentProgress =
  | 'loading'
  | 'processing'
  | 'paid'
  | 'active'
  | 'delayed'
  | 'returned'
  | 'taken'
  | 'failed'
  | 'error';

export type PaymentFacts = Readonly<{
  sessionId: string | null;
  verification: Pick<PaymentVerification, 'state' | 'claimed' | 'canTakeOver'> | undefined;
  hasError: boolean;
  isSignedIn: boolean;
  /** Whether the account has the tier that was bought. */
  hasAccess: boolean;
  waitedMs: number;
}>;

/** What is true of a payment, by the server's answers alone. */
export const paymentProgress = (facts: PaymentFacts): PaymentProgress => {
  const { sessionId, verification, hasError, isSignedIn, hasAccess, waitedMs } = facts;
  if (!sessionId) return 'error';
  if (!verification) return hasError ? 'error' : 'loading';
  const waiting = waitedMs > delayedAfterMs ? 'delayed' : 'processing';
  if (verification.state === 'returned') return 'returned';
  if (verification.state === 'failed' || verification.state === 'expired') return 'failed';
  if (verification.state === 'processing') return waiting;
  if (verification.canTakeOver) return 'taken';
  if (!isSignedIn || !verification.claimed) return 'paid';
  return hasAccess ? 'active' : waiting;
};

/** Often at first, then less and less. */
export const pollIntervalMs = (waitedMs: number): number =>
  waitedMs < 10_000 ? 1_000 : waitedMs < delayedAfterMs ? 3_000 : 15_000;
