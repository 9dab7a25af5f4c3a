import type { MemberTier } from '@tapedeck/membership/contract';
import { formatDay } from '../../ui/format.ts';

/** What the membership card has to say. */
export type MembershipState =
  | 'free'
  | 'processing'
  | 'active'
  | 'ending'
  | 'grace'
  | 'suspended'
  | 'ended'
  | 'complimentary';

export const membershipStateOf = ({
  status,
  endsAt,
}: Pick<MemberTier, 'status' | 'endsAt'>): MembershipState => {
  if (status === 'none') return 'free';
  if (status === 'pending') return 'processing';
  return status === 'active' && endsAt !== null ? 'ending' : status;
};

export type GraceText = Readonly<{ problem: string; dates: string }>;

const problemText = ({
  hasFailedPayment,
  failureReason,
}: Pick<MemberTier, 'hasFailedPayment' | 'failureReason'>): string => {
  if (!hasFailedPayment) return 'The renewal is not confirmed yet.';
  return `The last payment did not go through${failureReason === null ? '' : `: ${failureReason}`}.`;
};

/** What is wrong with the renewal, and one sentence with the dates that follow from it. */
export const graceText = (
  tier: Pick<MemberTier, 'hasFailedPayment' | 'failureReason' | 'nextAttemptAt' | 'graceUntil'>,
): GraceText => {
  const { nextAttemptAt, graceUntil } = tier;
  const access = `ccess until ${formatDay(graceUntil)}.`;
  return {
    problem: problemText(tier),
    dates: nextAttemptAt ? `We try again on ${formatDay(nextAttemptAt)}; a${access}` : `A${access}`,
  };
};
