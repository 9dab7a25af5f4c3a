import { facetFields, type FacetField, type Histogram } from '@tapedeck/search-engine/contract';
import { activeFacets, activeFilters, type FilterId, type Filters } from '../filter-state/filters.ts';

/** Filters to remove together, and how many strategies are found without them. */
export type Repair = Readonly<{ ids: readonly FilterId[]; results: number }>;

/** Requests that an empty list may cost. */
export const mostAsked = 6;

const found = ({ counts, unknown }: Histogram): number => counts.reduce((sum, count) => sum + count, unknown);

/** What removing one range would give: its own histogram ignores it already, so the answer is at hand. */
export const rangeRepairs = (filters: Filters, histograms: readonly Histogram[]): readonly Repair[] =>
  activeFacets(filters).flatMap((id) => {
    const histogram = histograms.find(({ field }) => field === id);
    return histogram ? [{ ids: [id], results: found(histogram) }] : [];
  });

/** Single filters whose removal has to be asked for. */
export const singlesToAsk = (filters: Filters): readonly (readonly FilterId[])[] =>
  activeFilters(filters)
    .filter((id) => !facetFields.some((field: FacetField) => field === id))
    .slice(0, mostAsked)
    .map((id) => [id]);

/**
 * Removals to ask for when no single one helps: every pair while there are few filters, else all but one. Two
 * filters, of which each alone finds nothing, leave nothing but to clear them all.
 */
export const togetherToAsk = (filters: Filters): readonly (readonly FilterId[])[] => {
  const active = activeFilters(filters);
  if (active.length < 3) return [];
  const sets =
    active.length <= 4
      ? active.flatMap((one, at) => active.slice(at + 1).map((other) => [one, other]))
      : active.map((kept) => active.filter((id) => id !== kept));
  return sets.slice(0, mostAsked);
};

/** Those that give anything, the best first; of equals the one that removes less. */
export const bestFirst = (repairs: readonly Repair[]): readonly Repair[] =>
  repairs
    .filter(({ results }) => results > 0)
    .toSorted((one, other) => other.results - one.results || one.ids.length - other.ids.length)
    .slice(0, mostAsked);

/** Strategies in the whole catalogue: every one is in some bin of a field, or has no value in it. */
export const catalogueSize = (histograms: readonly Histogram[]): number | null => {
  const [first] = histograms;
  return first ? first.all.reduce((sum, count) => sum + count, first.unknownAll) : null;
};
