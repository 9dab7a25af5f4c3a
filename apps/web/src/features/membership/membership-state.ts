import type { MemberTier } from '@tapedeck/membership/contract';

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
