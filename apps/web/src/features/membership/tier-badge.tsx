import type { Tier } from '@tapedeck/membership/contract';
import { badgeOf } from '@tapedeck/plans/contract';
import type { JSX } from 'react';

export const TierBadge = ({ tier }: Readonly<{ tier: Tier }>): JSX.Element => (
  <span className={`badge badge--tier tier-${badgeOf(tier)}`}>{tier}</span>
);
