import type { Tier } from '@tapedeck/membership/contract';
import type { JSX } from 'react';

export const TierBadge = ({ tier }: Readonly<{ tier: Tier }>): JSX.Element => (
  <span className={`badge badge--tier tier-${tier.toLowerCase()}`}>{tier}</span>
);
