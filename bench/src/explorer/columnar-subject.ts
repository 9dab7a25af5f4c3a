import { defaultScale, facetFields, type FacetField } from '@tapedeck/search-engine/contract';
import type { NumberRange, SearchEngine, SearchFilter } from '@tapedeck/search-engine/engine';
import { firstRows, openFilter, type Ranges } from './figures.ts';
import type { Subject } from './subject.ts';

export const filterOf = (ranges: Ranges): SearchFilter => ({
  ...openFilter,
  ranges: Object.fromEntries(facetFields.map((field, facet) => [field, ranges[facet]])) as Record<
    FacetField,
    NumberRange
  >,
});

/** An engine of the product, through the product's search port. */
export const engineSubject = (
  name: string,
  engine: SearchEngine,
  kind: Subject['kind'] = 'ours',
): Subject => ({
  name,
  kind,
  refresh: async (ranges) => {
    const { total, hits, histograms } = await engine.search({
      filter: filterOf(ranges),
      page: { sort: 'sharpe_ratio_all', order: 'desc', offset: 0, limit: firstRows },
      histograms: defaultScale,
    });
    return {
      total,
      first: hits.map(({ urlId }) => urlId),
      histograms: histograms.map(({ counts, unknown }) => [...counts, unknown]),
    };
  },
});
