import type { FigurePlace } from '@tapedeck/explorer/contract';
import { facets, type FacetField } from '@tapedeck/search-engine/contract';
import { formatWhole } from '../../../ui/format.ts';

type Rank = Pick<FigurePlace, 'field' | 'known' | 'worse'>;

/** Never says more than is true: 99.97 % is 99.9 %, and 83.9 % is 83 %. */
const roundedDown = (share: number): string => {
  const tenths = Math.floor(share * 1_000 + 1e-9);
  return tenths > 990 ? (tenths / 10).toFixed(1) : String(Math.floor(tenths / 10));
};

/** `better than 83% of strategies`. */
export const rankText = ({ known, worse }: Rank): string =>
  `better than ${roundedDown(known === 0 ? 0 : worse / known)}% of strategies`;

const comparative = (field: FacetField): string => (facets[field].better === 'less' ? 'higher' : 'lower');

/** The numbers behind it: `3,560 of the 4,273 strategies whose profit factor is known have a lower one`. */
export const rankDetail = ({ field, known, worse }: Rank): string =>
  `${formatWhole(worse)} of the ${formatWhole(known)} strategies whose ${facets[field].shortName} is known ` +
  `${worse === 1 ? 'has' : 'have'} a ${comparative(field)} one`;
