import type { FacetField } from '@tapedeck/search-engine/contract';
import type { DayRange } from '../../../ui/dates/days.ts';
import { formatDay, formatWhole } from '../../../ui/format.ts';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { facets } from './facets.ts';
import type { FilterId, Filters } from './filters.ts';

/** A filter as a chip says it: `Sharpe` and `≥ 1.5`, `Published` and `since Mar 14, 2024`. */
export type FilterWords = Readonly<{ name: string; words: string }>;

/** Where the panel's own label is too long for a chip. */
const shortNames: Readonly<Partial<Record<FacetField, string>>> = {
  totalPandlPercent: 'P&L',
  sharpeRatio: 'Sharpe',
};

const written = (value: number): string => {
  const [whole = '', decimals] = Math.abs(value).toString().split('.');
  const grouped = /e/.test(whole) ? whole : formatWhole(Number(whole));
  return `${value < 0 ? '−' : ''}${grouped}${decimals ? `.${decimals}` : ''}`;
};

/** `≤ 35 %`, `≥ 3`, `0.8–2.4`; a dash between negative figures needs room to be told from a minus. */
export const boundsWords = (unit: string, { low, high }: Bounds): string => {
  const dash = low !== null && high !== null && Math.min(low, high) < 0 ? ' – ' : '–';
  const words =
    low !== null && high !== null
      ? low === high
        ? written(low)
        : `${written(low)}${dash}${written(high)}`
      : low !== null
        ? `≥ ${written(low)}`
        : `≤ ${written(high ?? 0)}`;
  return unit ? `${words}\u00a0${unit}` : words;
};

export const daysWords = ({ from, to }: DayRange): string => {
  if (from !== null && to !== null) {
    return from === to ? `on ${formatDay(from)}` : `${formatDay(from)} – ${formatDay(to)}`;
  }
  return from !== null ? `since ${formatDay(from)}` : `until ${formatDay(to)}`;
};

export const wordsOf = (filters: Filters, id: FilterId): FilterWords => {
  switch (id) {
    case 'search':
      return { name: 'Search', words: `“${filters.search.trim()}”` };
    case 'symbol':
      return { name: 'Symbol', words: filters.symbol.trim() };
    case 'pineVersion':
      return { name: 'Pine', words: `v${filters.pineVersion}` };
    case 'published':
      return { name: 'Published', words: daysWords(filters.published) };
    case 'backtested':
      return { name: 'Backtested', words: daysWords(filters.backtested) };
    case 'hasPerformance':
      return { name: 'Has', words: 'performance data' };
    case 'hasEnhanced':
      return { name: 'Has', words: 'enhanced data' };
    default: {
      const facet = facets.find(({ field }) => field === id);
      return {
        name: shortNames[id] ?? facet?.label ?? id,
        words: boundsWords(facet?.unit ?? '', filters.ranges[id]),
      };
    }
  }
};
