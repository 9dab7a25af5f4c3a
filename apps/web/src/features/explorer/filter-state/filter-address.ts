import {
  facetFields,
  facetParameter,
  scales,
  sortFields,
  type FacetField,
} from '@tapedeck/search-engine/contract';
import { isDay, tidyDays, type DayRange } from '../../../ui/dates/days.ts';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import {
  defaultFilters,
  lastReachablePage,
  longestSearch,
  longestSymbol,
  mapFacets,
  tidyBounds,
  tidyScales,
  type ChosenScales,
  type Filters,
} from './filters.ts';

const encodeBounds = (query: URLSearchParams, field: FacetField, { low, high }: Bounds): void => {
  if (low !== null) query.set(`min_${facetParameter[field]}`, String(low));
  if (high !== null) query.set(`max_${facetParameter[field]}`, String(high));
};

const encodeDays = (query: URLSearchParams, name: string, { from, to }: DayRange): void => {
  if (from !== null) query.set(`${name}_start`, from);
  if (to !== null) query.set(`${name}_end`, to);
};

const encodeScales = (chosen: ChosenScales): string =>
  Object.entries(tidyScales(chosen))
    .map((pair) => pair.join(':'))
    .join(',');

/** The same names in the page's address and in the call; what has its default is left out. */
export const encodeFilters = (filters: Filters): URLSearchParams => {
  const query = new URLSearchParams();
  const setUnless = (name: string, value: string, unset: string): void => {
    if (value !== unset) query.set(name, value);
  };
  setUnless('search', filters.search.trim(), '');
  for (const field of facetFields) encodeBounds(query, field, filters.ranges[field]);
  setUnless('symbol', filters.symbol.trim(), '');
  if (filters.pineVersion !== null) query.set('pine_version', `v${filters.pineVersion}`);
  encodeDays(query, 'publication_date', filters.published);
  encodeDays(query, 'backtesting_date', filters.backtested);
  if (filters.hasPerformance) query.set('has_performance', 'true');
  if (filters.hasEnhanced) query.set('has_enhanced', 'true');
  setUnless('scales', encodeScales(filters.scales), '');
  setUnless('sort_by', filters.sortBy, defaultFilters.sortBy);
  setUnless('sort_order', filters.sortOrder, defaultFilters.sortOrder);
  setUnless('page', String(filters.page), '1');
  return query;
};

/** The address of these filters: one spelling for one choice, and no escapes where none are needed. */
export const addressOf = (filters: Filters): string =>
  encodeFilters(filters).toString().replaceAll('%3A', ':').replaceAll('%2C', ',');

/** Equal for filters that find the same and show it in the same bars, in whatever order and on whatever page. */
export const filterKey = (filters: Filters): string => {
  const { sortBy, sortOrder, page } = defaultFilters;
  return addressOf({ ...filters, sortBy, sortOrder, page });
};

/** Nothing is chosen that a reset would take back. */
export const isDefault = (filters: Filters): boolean => addressOf({ ...filters, page: 1 }) === '';

const decodeBound = (text: string | null): number | null => {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  // Minus zero would be written back as zero and so never settle.
  return Number.isFinite(value) ? value + 0 : null;
};

const decodeText = (text: string | null, longest: number): string =>
  (text ?? '').trim().slice(0, longest).trim();

/** What a person or the wire may write: `v5`, `V5`, `5`. Null when it is none of these. */
export const decodePineVersion = (text: string | null): number | null => {
  const [, digits] = /^\s*v?(\d{1,2})\s*$/i.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
};

const decodeDay = (text: string | null): string | null => (text !== null && isDay(text) ? text : null);

const decodeDays = (query: URLSearchParams, name: string): DayRange =>
  tidyDays({ from: decodeDay(query.get(`${name}_start`)), to: decodeDay(query.get(`${name}_end`)) });

const decodeScales = (text: string | null): ChosenScales => {
  const pairs = (text ?? '').split(',').map((pair) => pair.split(':'));
  const chosen = facetFields.flatMap((field) => {
    const name = pairs.find(([of]) => of === field)?.[1];
    const scale = scales.find((each) => each === name);
    return scale ? [[field, scale] as const] : [];
  });
  return tidyScales(Object.fromEntries(chosen));
};

const decodePage = (text: string | null): number => {
  const page = Number(text ?? 1);
  return Number.isInteger(page) && page > 1 ? Math.min(page, lastReachablePage) : 1;
};

/** An address may have been typed by hand: what makes no sense in it is left out. */
export const decodeFilters = (query: URLSearchParams): Filters => ({
  search: decodeText(query.get('search'), longestSearch),
  ranges: mapFacets((field) =>
    tidyBounds(field, {
      low: decodeBound(query.get(`min_${facetParameter[field]}`)),
      high: decodeBound(query.get(`max_${facetParameter[field]}`)),
    }),
  ),
  symbol: decodeText(query.get('symbol'), longestSymbol),
  pineVersion: decodePineVersion(query.get('pine_version')),
  published: decodeDays(query, 'publication_date'),
  backtested: decodeDays(query, 'backtesting_date'),
  hasPerformance: query.get('has_performance') === 'true',
  hasEnhanced: query.get('has_enhanced') === 'true',
  scales: decodeScales(query.get('scales')),
  sortBy: sortFields.find((field) => field === query.get('sort_by')) ?? defaultFilters.sortBy,
  sortOrder: query.get('sort_order') === 'asc' ? 'asc' : 'desc',
  page: decodePage(query.get('page')),
});
