import type { JSX } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useChanges } from '../../api/changes.api.ts';
import { useRepeat } from '../../api/use-repeat.ts';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { useMemberTierQuery } from '../../features/membership/membership.api.ts';
import {
  paymentProgress,
  pollIntervalMs,
  type PaymentFacts,
} from '../../features/payments/payment-progress.ts';
import { PaymentSuccess } from '../../features/payments/payment-success.tsx';
import { usePaymentVerificationQuery } from '../../features/payments/payments.api.ts';
import { PaymentComplete } from './payment-complete.tsx';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';
import { useWaitedMs } from '../../ui/browser/use-waited-ms.ts';

const waiting: readonly string[] = ['processing', 'delayed'];
/** Of a payment that the payment provider has not reported: each time it is asked. */
const askProviderMs = 5_000;

/** `/payment-success`: what became of the payment. The browser's own claims in the address decide nothing (docs/product-decisions.md#after-a-payment). */
export const PaymentSuccessPage = (): JSX.Element => {
  usePageTitle('Payment · Tapedeck');
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  const { data: user } = useCurrentUserQuery();
  const waitedMs = useWaitedMs(true);
  const { isLive } = useChanges({ skip: !user });
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
    membership: tier.data,
    waitedMs,
  };
  const progress = paymentProgress(facts);
  const isWaiting = waiting.includes(progress);
  // Without the stream of changes, as for a visitor, both are asked repeatedly.
  const intervalMs = pollIntervalMs(waitedMs);
  const asksProvider = isLive && verification?.state === 'processing';
  useRepeat(verified, {
    onRepeat: () => void verified.refetch(),
    intervalMs: asksProvider ? Math.max(intervalMs, askProviderMs) : intervalMs,
    isOn: isWaiting && (!isLive || asksProvider),
  });
  useRepeat(tier, {
    onRepeat: () => void tier.refetch(),
    intervalMs,
    isOn: Boolean(user) && isWaiting && !(isLive && !tier.isError),
  });
  if (progress === 'active' && verification) return <PaymentComplete verification={verification} />;
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
