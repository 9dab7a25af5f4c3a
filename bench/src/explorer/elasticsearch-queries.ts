import type { estypes } from '@elastic/elasticsearch';
import { firstRows, sortFacet, type Figures, type Ranges } from './figures.ts';

type Query = estypes.QueryDslQueryContainer;
type Aggregation = estypes.AggregationsAggregationContainer;

/** Figures are stored as whole thousandths, because integers compare exactly. */
const unitsPerOne = 1_000;
/** An infinite profit factor. */
const infinite = 2 ** 52;

export const scaledInteger = (value: number): number =>
  value === Infinity ? infinite : Math.round(value * unitsPerOne);

/** The first whole thousandth that is not below the edge. */
const scaledEdge = (edge: number): number => {
  let units = Math.ceil(edge * unitsPerOne);
  while ((units - 1) / unitsPerOne >= edge) units--;
  while (units / unitsPerOne < edge) units++;
  return units;
};

/** The aggregation for the bins of one facet, and the bin of a bucket of the answer. */
export type Bins = Readonly<{ aggregation: Aggregation; binOf: (key: number | string) => number }>;

const rangeBins = (facet: number, inner: readonly number[]): Bins => ({
  aggregation: {
    range: {
      field: `f${facet}`,
      ranges: [undefined, ...inner].map((from, bin) => ({
        key: String(bin),
        ...(from === undefined ? {} : { from }),
        ...(inner[bin] === undefined ? {} : { to: inner[bin] }),
      })),
    },
  },
  binOf: Number,
});

/** Bins of equal width; buckets outside the edges belong to the open end bins. */
const histogramBins = (facet: number, inner: readonly number[], interval: number): Bins => {
  const [first = 0] = inner;
  const offset = ((first % interval) + interval) % interval;
  return {
    aggregation: { histogram: { field: `f${facet}`, interval, offset, min_doc_count: 1 } },
    binOf: (key) => Math.min(inner.length, Math.max(0, Math.round((Number(key) - first) / interval) + 1)),
  };
};

export type BinAggregation = 'range' | 'histogram';

/** With `histogram`, facets whose bins differ in width keep `range`. */
export const binsOf = (edges: readonly number[], facet: number, wanted: BinAggregation): Bins => {
  // The end bins are open: the first and the last edge divide nothing.
  const inner = edges.slice(1, -1).map(scaledEdge);
  const widths = new Set(inner.slice(1).map((edge, at) => edge - (inner[at] ?? 0)));
  const [width] = widths;
  if (wanted === 'range' || widths.size !== 1 || width === undefined) return rangeBins(facet, inner);
  return histogramBins(facet, inner, width);
};

/** All ranges except `own`. */
export const without = (ranges: Ranges, own: number | null): Query => ({
  bool: {
    filter: ranges.flatMap(({ low, high }, facet) =>
      facet === own
        ? []
        : [{ range: { [`f${facet}`]: { gte: scaledInteger(low), lte: scaledInteger(high) } } }],
    ),
  },
});

/** The first rows of the list; their ids are returned as sort values, so that no document is read. */
export const list = {
  size: firstRows,
  track_total_hits: true,
  _source: false,
  sort: [{ [`f${sortFacet}`]: 'desc' }, { id: 'asc' }],
} as const satisfies estypes.SearchRequest;

export const mapping = ({ columns }: Figures): estypes.MappingTypeMapping => ({
  dynamic: 'strict',
  _source: { enabled: false },
  properties: {
    id: { type: 'keyword' },
    ...Object.fromEntries(columns.map((_, facet) => [`f${facet}`, { type: 'long' as const }])),
  },
});
