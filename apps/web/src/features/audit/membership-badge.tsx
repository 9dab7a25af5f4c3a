import { badgeOf } from '@tapedeck/plans/contract';
import type { JSX } from 'react';

const good: readonly string[] = ['active', 'complimentary'];
const bad: readonly string[] = ['suspended', 'ended'];

const statusClass = (status: string): string => {
  if (good.includes(status)) return 'badge--ok';
  if (bad.includes(status)) return 'badge--danger';
  return status === 'grace' ? 'badge--accent' : '';
};

/** Tier and status of a member. */
export const MembershipBadge = ({
  tier,
  status,
}: Readonly<{ tier: string; status: string }>): JSX.Element => (
  <span className="membership-badge">
    <span className={`badge badge--tier tier-${badgeOf(tier)}`}>{tier}</span>
    <span className={`badge ${statusClass(status)}`}>{status === 'none' ? 'never a member' : status}</span>
  </span>
);
