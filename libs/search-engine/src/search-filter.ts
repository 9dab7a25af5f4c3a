import { DomainError } from '@tapedeck/kernel';
import {
  boundName,
  effectiveBounds,
  facetRecord,
  isReversed,
  type FacetField,
  type FilterQuery,
} from './contract.ts';
import type { DayRange, NumberRange, SearchFilter } from './search-port.ts';

const reversed = (low: string, lowValue: string, high: string, highValue: string): DomainError =>
  new DomainError(
    'invalid',
    'RANGE_REVERSED',
    `${low} (${lowValue}) is above ${high} (${highValue}): swap them, or leave one out.`,
    { parameter: low, errors: [{ path: low, message: `must not be above ${high}` }] },
  );

const rangeOf = (query: FilterQuery, field: FacetField): NumberRange => {
  const [min, max] = [boundName('min', field), boundName('max', field)];
  const { low, high } = effectiveBounds(field, { low: query[min], high: query[max] });
  if (isReversed(low, high)) throw reversed(min, String(low), max, String(high));
  return { low: low ?? -Infinity, high: high ?? Infinity };
};

type DayName = 'publication_date' | 'backtesting_date';

const daysOf = (query: FilterQuery, name: DayName): DayRange => {
  const from = query[`${name}_start`] ?? null;
  const to = query[`${name}_end`] ?? null;
  if (isReversed(from, to)) throw reversed(`${name}_start`, String(from), `${name}_end`, String(to));
  return { from, to };
};

/** docs/product-decisions.md#the-remaining-filters: `v5` and `5` mean the same; an empty text means no filter. */
const pineVersionOf = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : Number(text.replace(/^v/i, ''));

/**
 * Converts query parameters to a filter; missing bounds and those that are equal to `openBounds` are open.
 * @throws DomainError RANGE_REVERSED with the name of the parameter when a lower bound is above the upper one.
 */
export const toSearchFilter = (query: FilterQuery): SearchFilter => ({
  search: query.search ?? '',
  symbol: query.symbol ?? '',
  pineVersion: pineVersionOf(query.pine_version),
  published: daysOf(query, 'publication_date'),
  backtested: daysOf(query, 'backtesting_date'),
  hasPerformance: query.has_performance ?? false,
  hasEnhanced: query.has_enhanced ?? false,
  ranges: facetRecord((field) => rangeOf(query, field)),
});
