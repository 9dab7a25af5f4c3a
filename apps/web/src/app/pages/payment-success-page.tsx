import type { JSX } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { useMemberTierQuery } from '../../features/membership/membership.api.ts';
import {
  paymentProgress,
  pollIntervalMs,
  type PaymentFacts,
} from '../../features/payments/payment-progress.ts';
import { PaymentSuccess } from '../../features/payments/payment-success.tsx';
import { usePaymentVerificationQuery } from '../../features/payments/payments.api.ts';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { useWaitedMs } from '../../ui/browser/use-waited-ms.ts';

const waiting: readonly string[] = ['processing', 'delayed'];

/** `/payment-success`: what became of the payment. The browser's own claims in the address decide nothing (D31). */
export const PaymentSuccessPage = (): JSX.Element => {
  usePageTitle('Payment · Tapedeck');
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  const { data: user } = useCurrentUserQuery();
  const waitedMs = useWaitedMs(true);
  const pollingInterval = pollIntervalMs(waitedMs);
  const verified = usePaymentVerificationQuery(sessionId ?? '', {
    skip: !sessionId,
    refetchOnMountOrArgChange: true,
  });
  const { data: verification } = verified;
  const tier = useMemberTierQuery(undefined, { skip: !user, refetchOnMountOrArgChange: true });
  const facts: PaymentFacts = {
    sessionId,
    verification,
    hasError: verified.isError,
    isSignedIn: Boolean(user),
    hasAccess: tier.data !== undefined && tier.data.active && tier.data.tier === verification?.tier,
    waitedMs,
  };
  const progress = paymentProgress(facts);
  const isWaiting = waiting.includes(progress);
  const polling = { pollingInterval: isWaiting ? pollingInterval : 0 };
  usePaymentVerificationQuery(sessionId ?? '', { skip: !sessionId, ...polling });
  useMemberTierQuery(undefined, { skip: !user, ...polling });
  return (
    <PaymentSuccess
      progress={progress}
      verification={verification}
      sessionId={sessionId}
      user={user}
      isFetching={verified.isFetching}
      onRetry={() => void verified.refetch()}
    />
  );
};
