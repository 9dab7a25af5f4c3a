import { useState } from 'react';
import { useChanges } from '../../../api/changes.api.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { useMemberTierQuery } from '../../../features/membership/membership.api.ts';
import { pollIntervalMs } from '../../../features/payments/payment-progress.ts';
import { useBillingQuery } from '../../../features/payments/payments.api.ts';
import { useOnceTrue } from '../../../ui/browser/use-once-true.ts';
import { useWaitedMs } from '../../../ui/browser/use-waited-ms.ts';
import { isAnswered } from '../../../ui/loading-page.tsx';

/** Without the stream of changes: the membership follows the payments within moments. */
const followForMs = 60_000;

export type MemberBilling = Readonly<{
  tier: ReturnType<typeof useMemberTierQuery>;
  billing: ReturnType<typeof useBillingQuery>;
  /** Whether both have been answered, be it that they failed. */
  isKnown: boolean;
}>;

/** Membership and subscription. The stream of changes has them asked again; only without it are they asked repeatedly. */
export const useMemberBilling = (): MemberBilling => {
  const { isLive } = useChanges();
  const tier = useMemberTierQuery(undefined, { refetchOnMountOrArgChange: true });
  const billing = useBillingQuery(undefined, { refetchOnMountOrArgChange: true });
  const subscription = billing.data?.subscription ?? null;
  const isProcessing = subscription?.processing != null || tier.data?.status === 'pending';
  const lostForMs = useWaitedMs(!isLive);
  const [changed, setChanged] = useState({ subscription, atMs: 0 });
  if (changed.subscription !== subscription) setChanged({ subscription, atMs: lostForMs });
  const waitedMs = Math.max(0, lostForMs - changed.atMs);
  const polling = {
    intervalMs: pollIntervalMs(waitedMs),
    isOn: !isLive && (isProcessing || waitedMs <= followForMs),
  };
  useRepeat(tier, { onRepeat: () => void tier.refetch(), ...polling });
  useRepeat(billing, { onRepeat: () => void billing.refetch(), ...polling });
  const isKnown = useOnceTrue(isAnswered(tier) && isAnswered(billing));
  return { tier, billing, isKnown };
};
