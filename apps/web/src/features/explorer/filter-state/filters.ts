import {
  boundName,
  defaultScale,
  effectiveBounds,
  facetFields,
  facetRecord,
  isInactive,
  maxWindow,
  scales,
  sortFields,
  type Bounds,
  type FacetField,
  type Scale,
  type SortField,
  type SortOrder,
} from '@tapedeck/search-engine/contract';
import { isDay, type DayRange } from '../../../ui/dates/days.ts';
import { openBounds } from '../../../ui/range-histogram/range-thumbs.ts';

export type ChosenScales = Readonly<Partial<Record<FacetField, Scale>>>;

export type Filters = Readonly<{
  search: string;
  ranges: Readonly<Record<FacetField, Bounds>>;
  symbol: string;
  /** 5 for Pine Script v5. */
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

/** Filters other than search and ranges, in the order of the panel. */
const otherFilters = [
  'symbol',
  'pineVersion',
  'published',
  'backtested',
  'hasPerformance',
  'hasEnhanced',
] as const;
/** A filter with a chip of its own, which removes it. */
export type FilterId = 'search' | FacetField | (typeof otherFilters)[number];

export const filterIds: readonly FilterId[] = ['search', ...facetFields, ...otherFilters];

export const pageSize = 12;
export const maxPage = Math.floor(maxWindow / pageSize);
export const maxSearchLength = 200;
export const maxSymbolLength = 60;

const anyDay: DayRange = { from: null, to: null };

export const defaultFilters: Filters = {
  search: '',
  ranges: facetRecord(() => openBounds),
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

/** Without the scales that are the default anyway, in the order of the panel. */
export const normaliseScales = (chosen: ChosenScales): ChosenScales =>
  Object.fromEntries(
    facetFields.flatMap((field) => {
      const scale = chosen[field];
      return scale === undefined || scale === defaultScale[field] ? [] : [[field, scale] as const];
    }),
  );

const isFacet = (id: FilterId): id is FacetField => facetFields.some((field) => field === id);

const isActive = (filters: Filters, id: FilterId): boolean => {
  if (isFacet(id)) return !isInactive(filters.ranges[id]);
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

/** Goes back to the first page, as every change of the filters does. */
export const withoutFilters = (filters: Filters, ids: readonly FilterId[]): Filters =>
  ids.reduce<Filters>(
    (rest, id) =>
      isFacet(id)
        ? { ...rest, ranges: { ...rest.ranges, [id]: openBounds } }
        : { ...rest, [id]: defaultFilters[id] },
    { ...filters, page: 1 },
  );

const encodeBounds = (query: URLSearchParams, field: FacetField, { low, high }: Bounds): void => {
  if (low !== null) query.set(boundName('min', field), String(low));
  if (high !== null) query.set(boundName('max', field), String(high));
};

const encodeDays = (query: URLSearchParams, name: string, { from, to }: DayRange): void => {
  if (from !== null) query.set(`${name}_start`, from);
  if (to !== null) query.set(`${name}_end`, to);
};

const encodeScales = (chosen: ChosenScales): string =>
  Object.entries(normaliseScales(chosen))
    .map((pair) => pair.join(':'))
    .join(',');

/** The parameters are those of the API; what has its default is omitted. */
const encodeFilters = (filters: Filters): URLSearchParams => {
  const query = new URLSearchParams();
  const setUnless = (name: string, value: string, defaultValue: string): void => {
    if (value !== defaultValue) query.set(name, value);
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

/** The query of the page's address. Equal filters have equal addresses, without needless escapes. */
export const addressOf = (filters: Filters): string =>
  encodeFilters(filters).toString().replaceAll('%3A', ':').replaceAll('%2C', ',');

/** Filters, order and scales: what is stored and saved, since a later visit begins at the first page. */
export const addressWithoutPage = (filters: Filters): string => addressOf({ ...filters, page: 1 });

/** Equal for filters that give the same strategies in the same order. */
export const resultAddress = (filters: Filters): string =>
  addressOf({ ...filters, page: 1, scales: defaultFilters.scales });

/** Equal for filters that give the same histograms, in whatever order and on whatever page. */
export const histogramsAddress = (filters: Filters): string => {
  const { sortBy, sortOrder, page } = defaultFilters;
  return addressOf({ ...filters, sortBy, sortOrder, page });
};

/** Equal for filters with the same number of results. */
export const countAddress = (filters: Filters): string =>
  histogramsAddress({ ...filters, scales: defaultFilters.scales });

/** Whether a reset would change nothing. */
export const isDefault = (filters: Filters): boolean => addressWithoutPage(filters) === '';

const decodeBound = (text: string | null): number | null => {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  // Minus zero would be written back as zero: the address would change when it is read.
  return Number.isFinite(value) ? value + 0 : null;
};

const decodeText = (text: string | null, maxLength: number): string =>
  (text ?? '').trim().slice(0, maxLength).trim();

/** `v5`, `V5` or `5`; null for anything else. */
export const decodePineVersion = (text: string | null): number | null => {
  const [, digits] = /^\s*v?(\d{1,2})\s*$/i.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
};

const decodeDay = (text: string | null): string | null => (text !== null && isDay(text) ? text : null);

const decodeDays = (query: URLSearchParams, name: string): DayRange => ({
  from: decodeDay(query.get(`${name}_start`)),
  to: decodeDay(query.get(`${name}_end`)),
});

const decodeScales = (text: string | null): ChosenScales => {
  const pairs = (text ?? '').split(',').map((pair) => pair.split(':'));
  const chosen = facetFields.flatMap((field) => {
    const name = pairs.find(([of]) => of === field)?.[1];
    const scale = scales.find((each) => each === name);
    return scale ? [[field, scale] as const] : [];
  });
  return normaliseScales(Object.fromEntries(chosen));
};

const decodePage = (text: string | null): number => {
  const page = Number(text ?? 1);
  return Number.isInteger(page) && page > 1 ? Math.min(page, maxPage) : 1;
};

/**
 * Reads the query of an address, which may have been typed by hand: malformed parameters are ignored. A reversed
 * range is kept: the server refuses it with a sentence, and the panel shows what is wrong (“Open bounds” in
 * `docs/product-decisions.md`).
 */
export const decodeFilters = (address: string): Filters => {
  const query = new URLSearchParams(address);
  return {
    search: decodeText(query.get('search'), maxSearchLength),
    ranges: facetRecord((field) =>
      effectiveBounds(field, {
        low: decodeBound(query.get(boundName('min', field))),
        high: decodeBound(query.get(boundName('max', field))),
      }),
    ),
    symbol: decodeText(query.get('symbol'), maxSymbolLength),
    pineVersion: decodePineVersion(query.get('pine_version')),
    published: decodeDays(query, 'publication_date'),
    backtested: decodeDays(query, 'backtesting_date'),
    hasPerformance: query.get('has_performance') === 'true',
    hasEnhanced: query.get('has_enhanced') === 'true',
    scales: decodeScales(query.get('scales')),
    sortBy: sortFields.find((field) => field === query.get('sort_by')) ?? defaultFilters.sortBy,
    sortOrder: query.get('sort_order') === 'asc' ? 'asc' : 'desc',
    page: decodePage(query.get('page')),
  };
};
