import type { MemberTier } from '@tapedeck/membership/contract';
import type { Billing } from '@tapedeck/payments/contract';
import { useMemberTierQuery } from '../../../features/membership/membership.api.ts';
import { pollIntervalMs } from '../../../features/payments/payment-progress.ts';
import { useBillingQuery } from '../../../features/payments/payments.api.ts';
import { useWaitedMs } from '../../../ui/browser/use-waited-ms.ts';

/** The membership follows the payments within moments; a difference that stays is none that polling could end. */
const followForMs = 60_000;

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** Whether the membership does not show yet what the subscription says. */
const isBehind = (tier: MemberTier, subscription: NonNullable<Billing['subscription']>): boolean =>
  tier.status === 'none' ||
  (tier.status === 'grace' && subscription.pastDueSince === null) ||
  (tier.status === 'active' &&
    (tier.tier !== subscription.tier || timeOf(tier.endsAt) !== timeOf(subscription.endsAt)));

export type MemberBilling = Readonly<{
  tier: ReturnType<typeof useMemberTierQuery>;
  billing: ReturnType<typeof useBillingQuery>;
}>;

/** Membership and subscription, followed while a change is under way. */
export const useMemberBilling = (): MemberBilling => {
  const tier = useMemberTierQuery(undefined, { refetchOnMountOrArgChange: true });
  const billing = useBillingQuery(undefined, { refetchOnMountOrArgChange: true });
  const subscription = billing.data?.subscription ?? null;
  const isProcessing = subscription?.processing != null || tier.data?.status === 'pending';
  const isFollowing = Boolean(tier.data && subscription && isBehind(tier.data, subscription));
  const waitedMs = useWaitedMs(isProcessing || isFollowing);
  const polls = isProcessing || (isFollowing && waitedMs < followForMs);
  const polling = { pollingInterval: polls ? pollIntervalMs(waitedMs) : 0 };
  useMemberTierQuery(undefined, polling);
  useBillingQuery(undefined, polling);
  return { tier, billing };
};
