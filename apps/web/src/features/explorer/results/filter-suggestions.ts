import { facetFields, type FacetField, type Histogram } from '@tapedeck/search-engine/contract';
import { activeFacets, activeFilters, type FilterId, type Filters } from '../filter-state/filters.ts';

/** Filters to remove together from an empty list, and the number of results without them. */
export type FilterSuggestion = Readonly<{ ids: readonly FilterId[]; results: number }>;

/** Of requests for one list of suggestions, and of suggestions shown. */
export const maxSuggestions = 6;

const resultsOf = ({ counts, unknown }: Histogram): number =>
  counts.reduce((sum, count) => sum + count, unknown);

/** Suggestions to remove one range. They need no request: the histogram of a field ignores its own range. */
export const rangeSuggestions = (
  filters: Filters,
  histograms: readonly Histogram[],
): readonly FilterSuggestion[] =>
  activeFacets(filters).flatMap((id) => {
    const histogram = histograms.find(({ field }) => field === id);
    return histogram ? [{ ids: [id], results: resultsOf(histogram) }] : [];
  });

/** Single filters without a histogram: the results without them have to be requested. */
export const singleRemovals = (filters: Filters): readonly (readonly FilterId[])[] =>
  activeFilters(filters)
    .filter((id) => !facetFields.some((field: FacetField) => field === id))
    .slice(0, maxSuggestions)
    .map((id) => [id]);

/**
 * Removals to try when no single one gives results: with up to four filters every pair, with more all but one. With
 * two filters, removing both is the same as clearing all.
 */
export const jointRemovals = (filters: Filters): readonly (readonly FilterId[])[] => {
  const active = activeFilters(filters);
  if (active.length < 3) return [];
  const sets =
    active.length <= 4
      ? active.flatMap((one, index) => active.slice(index + 1).map((other) => [one, other]))
      : active.map((kept) => active.filter((id) => id !== kept));
  return sets.slice(0, maxSuggestions);
};

/** Without suggestions that give no results; the most results first, then the fewest removed filters. */
export const bestFirst = (suggestions: readonly FilterSuggestion[]): readonly FilterSuggestion[] =>
  suggestions
    .filter(({ results }) => results > 0)
    .toSorted((one, other) => other.results - one.results || one.ids.length - other.ids.length)
    .slice(0, maxSuggestions);

/** Number of strategies in the whole catalogue: each is in one bin of a field, or has no value there. */
export const catalogueSize = (histograms: readonly Histogram[]): number | null => {
  const [first] = histograms;
  return first ? first.all.reduce((sum, count) => sum + count, first.unknownAll) : null;
};
