import type { Band } from '@tapedeck/audit/contract';
import { badgeOf } from '@tapedeck/plans/contract';
import type { JSX } from 'react';
import { formatTime } from '../../../ui/format.ts';
import { shareOf, type DeckRange } from './deck-scale.ts';

const nameOf = ({ tier, status }: Band): string => {
  if (status === 'suspended') return 'suspended';
  if (status === 'grace') return `${tier}, grace`;
  return status === 'complimentary' ? `${tier}, granted` : tier;
};

/** @example 'Pro, grace: Jan 3, 2027, 18:04 to Jan 5, 2027, 08:47' */
export const bandText = (band: Band): string =>
  `${nameOf(band)}: ${formatTime(band.from)}${band.to === null ? ', without an end' : ` to ${formatTime(band.to)}`}`;

type BandsProps = Readonly<{ bands: readonly Band[]; range: DeckRange }>;

/** Which tier the member had when: behind the marks of the membership. */
export const Bands = ({ bands, range }: BandsProps): JSX.Element => (
  <>
    {bands.map((band) => {
      const x = shareOf(range, Date.parse(band.from));
      const end = band.to === null ? 100 : shareOf(range, Date.parse(band.to));
      return (
        <b
          key={band.from}
          className={`band tier-${badgeOf(band.tier)} is-${band.status}`}
          style={{ '--x': `${x}%`, '--w': `${end - x}%` }}
          title={bandText(band)}
          aria-hidden="true"
        >
          <span>{nameOf(band)}</span>
        </b>
      );
    })}
  </>
);
