import type { FacetField, Histogram } from '@tapedeck/explorer/contract';
import { formatWhole } from '../../ui/format.ts';
import type { Bounds } from '../../ui/range-thumbs.ts';
import { facets, type Facet } from './facets.ts';
import { activeFacets, type Filters } from './filters.ts';

const written = (value: number): string => {
  const [whole = '', decimals] = Math.abs(value).toString().split('.');
  const grouped = /e/.test(whole) ? whole : formatWhole(Number(whole));
  return `${value < 0 ? '−' : ''}${grouped}${decimals ? `.${decimals}` : ''}`;
};

/** As a chip says it: `≤ 35 %`, `≥ 3`, `0.8 – 2.4`. */
export const boundsWords = ({ unit }: Pick<Facet, 'unit'>, { low, high }: Bounds): string => {
  const words =
    low !== null && high !== null
      ? `${written(low)} – ${written(high)}`
      : low !== null
        ? `≥ ${written(low)}`
        : `≤ ${written(high ?? 0)}`;
  return unit ? `${words}\u00a0${unit}` : words;
};

export type Repair = Readonly<{ field: FacetField; label: string; words: string; results: number }>;

/** What removing one range would give: its own histogram ignores it already, so the answer is at hand. */
export const rangeRepairs = (filters: Filters, histograms: readonly Histogram[]): readonly Repair[] =>
  facets
    .filter(({ field }) => activeFacets(filters).includes(field))
    .flatMap((facet) => {
      const histogram = histograms.find(({ field }) => field === facet.field);
      if (!histogram) return [];
      const results = histogram.counts.reduce((sum, count) => sum + count, histogram.unknown);
      const words = boundsWords(facet, filters.ranges[facet.field]);
      return results > 0 ? [{ field: facet.field, label: facet.label, words, results }] : [];
    })
    .sort((one, other) => other.results - one.results);

/** Strategies in the whole catalogue: every one is in some bin of a field, or has no value in it. */
export const catalogueSize = (histograms: readonly Histogram[]): number | null => {
  const [first] = histograms;
  return first ? first.all.reduce((sum, count) => sum + count, first.unknownAll) : null;
};
