import {
  facetFields,
  facetParameter,
  maxWindow,
  sortFields,
  unsetBounds,
  type FacetField,
  type SortField,
  type SortOrder,
} from '@tapedeck/explorer/contract';
import { isOpen, openBounds, type Bounds } from '../../ui/range-thumbs.ts';

export type Filters = Readonly<{
  search: string;
  ranges: Readonly<Record<FacetField, Bounds>>;
  sortBy: SortField;
  sortOrder: SortOrder;
  page: number;
}>;

export const pageSize = 12;
export const lastReachablePage = Math.floor(maxWindow / pageSize);
export const longestSearch = 200;

export const mapFacets = <T>(value: (field: FacetField) => T): Readonly<Record<FacetField, T>> =>
  Object.fromEntries(facetFields.map((field) => [field, value(field)])) as Record<FacetField, T>;

export const defaultFilters: Filters = {
  search: '',
  ranges: mapFacets(() => openBounds),
  sortBy: 'total_pandl',
  sortOrder: 'desc',
  page: 1,
};

/** D10: a bound at the field's unset value is open; bounds that contradict each other are none. */
export const tidyBounds = (field: FacetField, { low, high }: Bounds): Bounds => {
  const [lowUnset, highUnset] = unsetBounds[field];
  const tidy = { low: low === lowUnset ? null : low, high: high === highUnset ? null : high };
  return tidy.low !== null && tidy.high !== null && tidy.low > tidy.high ? openBounds : tidy;
};

export const activeFacets = (filters: Filters): readonly FacetField[] =>
  facetFields.filter((field) => !isOpen(filters.ranges[field]));

export const activeCount = (filters: Filters): number =>
  activeFacets(filters).length + (filters.search.trim() ? 1 : 0);

const encodeBounds = (query: URLSearchParams, field: FacetField, { low, high }: Bounds): void => {
  if (low !== null) query.set(`min_${facetParameter[field]}`, String(low));
  if (high !== null) query.set(`max_${facetParameter[field]}`, String(high));
};

/** The same names in the page's address and in the call; what has its default is left out. */
export const encodeFilters = (filters: Filters): URLSearchParams => {
  const query = new URLSearchParams();
  const search = filters.search.trim();
  if (search) query.set('search', search);
  for (const field of facetFields) encodeBounds(query, field, filters.ranges[field]);
  if (filters.sortBy !== defaultFilters.sortBy) query.set('sort_by', filters.sortBy);
  if (filters.sortOrder !== defaultFilters.sortOrder) query.set('sort_order', filters.sortOrder);
  if (filters.page !== 1) query.set('page', String(filters.page));
  return query;
};

/** Nothing is chosen that a reset would take back. */
export const isDefault = (filters: Filters): boolean =>
  encodeFilters({ ...filters, page: 1 }).toString() === '';

const decodeBound = (text: string | null): number | null => {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  // Minus zero would be written back as zero and so never settle.
  return Number.isFinite(value) ? value + 0 : null;
};

const decodePage = (text: string | null): number => {
  const page = Number(text ?? 1);
  return Number.isInteger(page) && page > 1 ? Math.min(page, lastReachablePage) : 1;
};

/** An address may have been typed by hand: what makes no sense in it is left out. */
export const decodeFilters = (query: URLSearchParams): Filters => ({
  search: (query.get('search') ?? '').trim().slice(0, longestSearch).trim(),
  ranges: mapFacets((field) =>
    tidyBounds(field, {
      low: decodeBound(query.get(`min_${facetParameter[field]}`)),
      high: decodeBound(query.get(`max_${facetParameter[field]}`)),
    }),
  ),
  sortBy: sortFields.find((field) => field === query.get('sort_by')) ?? defaultFilters.sortBy,
  sortOrder: query.get('sort_order') === 'asc' ? 'asc' : 'desc',
  page: decodePage(query.get('page')),
});
