import {
  defaultScale,
  facetFields,
  maxWindow,
  unsetBounds,
  type FacetField,
  type Scale,
  type SortField,
  type SortOrder,
} from '@tapedeck/search-engine/contract';
import type { DayRange } from '../../../ui/dates/days.ts';
import { isOpen, openBounds, type Bounds } from '../../../ui/range-histogram/range-thumbs.ts';

export type ChosenScales = Readonly<Partial<Record<FacetField, Scale>>>;

export type Filters = Readonly<{
  search: string;
  ranges: Readonly<Record<FacetField, Bounds>>;
  symbol: string;
  /** Pine 5 is 5. */
  pineVersion: number | null;
  published: DayRange;
  backtested: DayRange;
  hasPerformance: boolean;
  hasEnhanced: boolean;
  /** Scales other than a field's default; they filter nothing. */
  scales: ChosenScales;
  sortBy: SortField;
  sortOrder: SortOrder;
  page: number;
}>;

/** Filters besides the ranges, in the order of the panel. */
const otherFilters = [
  'symbol',
  'pineVersion',
  'published',
  'backtested',
  'hasPerformance',
  'hasEnhanced',
] as const;
/** What one chip stands for and one click takes away. */
export type FilterId = 'search' | FacetField | (typeof otherFilters)[number];

export const filterIds: readonly FilterId[] = ['search', ...facetFields, ...otherFilters];

export const pageSize = 12;
export const lastReachablePage = Math.floor(maxWindow / pageSize);
export const longestSearch = 200;
export const longestSymbol = 60;

export const mapFacets = <T>(value: (field: FacetField) => T): Readonly<Record<FacetField, T>> =>
  Object.fromEntries(facetFields.map((field) => [field, value(field)])) as Record<FacetField, T>;

const anyDay: DayRange = { from: null, to: null };

export const defaultFilters: Filters = {
  search: '',
  ranges: mapFacets(() => openBounds),
  symbol: '',
  pineVersion: null,
  published: anyDay,
  backtested: anyDay,
  hasPerformance: false,
  hasEnhanced: false,
  scales: {},
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

/** The chosen scales without those that are the default anyway, in the order of the panel. */
export const tidyScales = (scales: ChosenScales): ChosenScales =>
  Object.fromEntries(
    facetFields.flatMap((field) => {
      const scale = scales[field];
      return scale === undefined || scale === defaultScale[field] ? [] : [[field, scale] as const];
    }),
  );

const isFacet = (id: FilterId): id is FacetField => facetFields.some((field) => field === id);

const isActive = (filters: Filters, id: FilterId): boolean => {
  if (isFacet(id)) return !isOpen(filters.ranges[id]);
  switch (id) {
    case 'search':
    case 'symbol':
      return filters[id].trim() !== '';
    case 'pineVersion':
      return filters.pineVersion !== null;
    case 'published':
    case 'backtested':
      return filters[id].from !== null || filters[id].to !== null;
    case 'hasPerformance':
    case 'hasEnhanced':
      return filters[id];
  }
};

export const activeFilters = (filters: Filters): readonly FilterId[] =>
  filterIds.filter((id) => isActive(filters, id));

export const activeFacets = (filters: Filters): readonly FacetField[] =>
  facetFields.filter((field) => isActive(filters, field));

/** The first page of what is found without these. */
export const withoutFilters = (filters: Filters, ids: readonly FilterId[]): Filters =>
  ids.reduce<Filters>(
    (rest, id) =>
      isFacet(id)
        ? { ...rest, ranges: { ...rest.ranges, [id]: openBounds } }
        : { ...rest, [id]: defaultFilters[id] },
    { ...filters, page: 1 },
  );
