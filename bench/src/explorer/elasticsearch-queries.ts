import type { estypes } from '@elastic/elasticsearch';
import { firstRows, sortFacet, type Figures, type Ranges } from './figures.ts';

type Query = estypes.QueryDslQueryContainer;
type Aggregation = estypes.AggregationsAggregationContainer;

/** Figures are kept as whole thousandths, which its integers compare exactly. */
const grain = 1_000;
/** Stands for an infinite profit factor. */
const topGrain = 2 ** 52;

export const grainsOf = (value: number): number =>
  value === Infinity ? topGrain : Math.round(value * grain);

/** The first whole thousandth that is not below the edge. */
const edgeGrains = (edge: number): number => {
  let grains = Math.ceil(edge * grain);
  while ((grains - 1) / grain >= edge) grains--;
  while (grains / grain < edge) grains++;
  return grains;
};

/** How the bins of one facet are asked for, and where in the histogram a bucket of the answer belongs. */
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

/** Bins of equal width; what lies outside is told in buckets beyond, which belong to the open end bins. */
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
  // The end bins are open: the outermost edges divide nothing.
  const inner = edges.slice(1, -1).map(edgeGrains);
  const widths = new Set(inner.slice(1).map((edge, at) => edge - (inner[at] ?? 0)));
  const [width] = widths;
  if (wanted === 'range' || widths.size !== 1 || width === undefined) return rangeBins(facet, inner);
  return histogramBins(facet, inner, width);
};

/** All ranges but `own`. */
export const without = (ranges: Ranges, own: number | null): Query => ({
  bool: {
    filter: ranges.flatMap(({ low, high }, facet) =>
      facet === own ? [] : [{ range: { [`f${facet}`]: { gte: grainsOf(low), lte: grainsOf(high) } } }],
    ),
  },
});

/** The first rows of the list; their ids come as sort values, so that no document has to be read. */
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
