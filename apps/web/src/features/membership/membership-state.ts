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

/** What is wrong with the renewal, and one sentence with the dates that follow from it. */
export const graceText = ({
  hasFailedPayment,
  nextAttemptAt,
  graceUntil,
}: Pick<MemberTier, 'hasFailedPayment' | 'nextAttemptAt' | 'graceUntil'>): GraceText => {
  const access = `ccess until ${formatDay(graceUntil)}.`;
  return {
    problem: hasFailedPayment ? 'The last payment did not go through.' : 'The renewal is not confirmed yet.',
    dates: nextAttemptAt ? `We try again on ${formatDay(nextAttemptAt)}; a${access}` : `A${access}`,
  };
};
