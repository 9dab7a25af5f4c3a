import { facets, sorts, type Bounds } from '@tapedeck/search-engine/contract';
import type { DayRange } from '../../../ui/dates/days.ts';
import { formatDay, formatWhole } from '../../../ui/format.ts';
import {
  activeFilters,
  addressWithoutPage,
  decodeFilters,
  defaultFilters,
  type FilterId,
  type Filters,
} from './filters.ts';

/** A filter as its chip shows it: `Sharpe` and `≥ 1.5`, `Published` and `since Mar 14, 2024`. */
export type FilterText = Readonly<{ name: string; value: string }>;

const formatBound = (value: number): string => {
  const [whole = '', decimals] = Math.abs(value).toString().split('.');
  const grouped = /e/.test(whole) ? whole : formatWhole(Number(whole));
  return `${value < 0 ? '−' : ''}${grouped}${decimals ? `.${decimals}` : ''}`;
};

/** `≤ 35 %`, `≥ 3`, `0.8–2.4`; with a negative number the dash has spaces, unlike a minus. */
export const boundsText = (unit: string, { low, high }: Bounds): string => {
  const dash = low !== null && high !== null && Math.min(low, high) < 0 ? ' – ' : '–';
  const text =
    low !== null && high !== null
      ? low === high
        ? formatBound(low)
        : `${formatBound(low)}${dash}${formatBound(high)}`
      : low !== null
        ? `≥ ${formatBound(low)}`
        : `≤ ${formatBound(high ?? 0)}`;
  return unit ? `${text}\u00a0${unit}` : text;
};

export const daysText = ({ from, to }: DayRange): string => {
  if (from !== null && to !== null) {
    return from === to ? `on ${formatDay(from)}` : `${formatDay(from)} – ${formatDay(to)}`;
  }
  return from !== null ? `since ${formatDay(from)}` : `until ${formatDay(to)}`;
};

export const filterText = (filters: Filters, id: FilterId): FilterText => {
  switch (id) {
    case 'search':
      return { name: 'Search', value: `“${filters.search.trim()}”` };
    case 'symbol':
      return { name: 'Symbol', value: filters.symbol.trim() };
    case 'pineVersion':
      return { name: 'Pine', value: `v${filters.pineVersion}` };
    case 'published':
      return { name: 'Published', value: daysText(filters.published) };
    case 'backtested':
      return { name: 'Backtested', value: daysText(filters.backtested) };
    case 'hasPerformance':
      return { name: 'Has', value: 'performance data' };
    case 'hasEnhanced':
      return { name: 'Has', value: 'enhanced data' };
    default: {
      const { chip, label, unit } = facets[id];
      return { name: chip ?? label, value: boundsText(unit, filters.ranges[id]) };
    }
  }
};

/**
 * Describes the search at an address for other features, which know no filters. `address` is equal for equal
 * searches, whatever their page; `text` has filters and order in one line, such as
 * `“macd” · Max drawdown ≤ 20 % · by Likes, descending`; `name` is made of the filters alone.
 */
export const describeSearch = (
  address: string,
): Readonly<{ address: string; text: string; name: string }> => {
  const filters = decodeFilters(address);
  const parts = activeFilters(filters).map((id) => {
    const { name, value } = filterText(filters, id);
    return id === 'search' ? value : `${name} ${value}`;
  });
  const filtered = parts.length > 0 ? parts : ['All strategies'];
  const { sortBy, sortOrder } = filters;
  const order = `by ${sorts[sortBy].name}, ${sortOrder === 'asc' ? 'ascending' : 'descending'}`;
  const isDefaultOrder = sortBy === defaultFilters.sortBy && sortOrder === defaultFilters.sortOrder;
  return {
    address: addressWithoutPage(filters),
    text: [...filtered, ...(isDefaultOrder ? [] : [order])].join(' · '),
    name: filtered.join(', ').replaceAll(/[“”]/g, '').replaceAll('\u00a0', ' '),
  };
};
