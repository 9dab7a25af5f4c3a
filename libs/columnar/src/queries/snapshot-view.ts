import { facetFields, facetRecord, type FacetField, type Scale } from '@tapedeck/search-engine/contract';
import type { HistogramScales, RequestOptions, SearchHit } from '@tapedeck/search-engine/port';
import type { Kernel } from '../kernel/kernel.ts';
import { bucketCount, type RowMask } from '../kernel/layout.ts';
import { binsByScale, countsByBin } from '../snapshot/buckets.ts';
import { intervalsByCode, snapPointsOnScale } from '../snapshot/codes.ts';
import { readHit } from '../snapshot/hits.ts';
import type { MinMax } from '../snapshot/permutation.ts';
import type { Encoding, Snapshot } from '../snapshot/snapshot.ts';
import { recentCache, type RecentCache } from './recent-cache.ts';
import type { Scheduler } from './scheduler.ts';

/** The rows that pass all filters except the ranges. */
export type Candidates = {
  /** 0 for the slots that pass, `excludedRow` for the others. */
  readonly mask: RowMask;
  /** Minimum and maximum of each field among them; null until they are requested. */
  minMax: Readonly<Record<FacetField, MinMax>> | null;
};

/**
 * A number per slot, by which a search with several words marks the rows that have its first words. Each search uses
 * numbers above those of the search before, so that the marks need not be cleared.
 */
export type WordMarks = { readonly marks: Uint32Array; last: number };

/** What is valid as long as the encoding: slots keep their numbers, buckets and codes. */
export type EncodingCache = Readonly<{
  encoding: Encoding;
  kernel: Kernel;
  /** Tables of bins by bucket, as the kernel takes them. */
  binsOf: (field: FacetField, scale: Scale) => Uint8Array;
  /** The tables of all facets one after the other, for a job; facets without a scale are zero. */
  binTable: (scales: HistogramScales) => Uint8Array;
  axisOf: (field: FacetField, scale: Scale) => Axis;
  /** Rows as the list shows them; the row of a slot never changes. */
  hits: RecentCache<number, SearchHit>;
  /** Working memory of a request: one element more than there are slots. */
  slots: Uint32Array;
  words: WordMarks;
}>;

/** The snap points of a slider's axis, and the interval of each code. */
export type Axis = Readonly<{ snapPoints: readonly number[]; intervals: Uint16Array }>;

/** A histogram of the whole catalogue. */
type CatalogueHistogram = Readonly<{ counts: readonly number[]; unknown: number }>;

/** What is valid as long as the snapshot. */
export type SnapshotCache = Readonly<{
  snapshot: Snapshot;
  catalogueHistogram: (field: FacetField, scale: Scale) => CatalogueHistogram;
  /** By filters without the ranges: while a slider is dragged these stay the same. */
  candidates: RecentCache<string, Candidates>;
}>;

/** All that a query needs to answer from one snapshot. */
export type SnapshotView = EncodingCache &
  SnapshotCache &
  Readonly<{
    scheduler: Scheduler;
    signal: AbortSignal | undefined;
  }>;

/** Runs a request on the newest snapshot when it is its turn. */
export type RunRequest = <T>(
  request: (view: SnapshotView) => Promise<T>,
  options?: RequestOptions,
) => Promise<T>;

const minCachedHits = 5_000;
const minCachedCandidates = 4;

type BinTable = Readonly<{ scales: HistogramScales; table: Uint8Array }>;

/** Most requests have the same scales as the one before. */
const binTables = (binsOf: EncodingCache['binsOf']): EncodingCache['binTable'] => {
  let last: BinTable = { scales: {}, table: new Uint8Array(facetFields.length * bucketCount) };
  return (scales) => {
    if (facetFields.every((field) => last.scales[field] === scales[field])) return last.table;
    const table = new Uint8Array(facetFields.length * bucketCount);
    facetFields.forEach((field, facet) => {
      const scale = scales[field];
      if (scale) table.set(binsOf(field, scale), facet * bucketCount);
    });
    last = { scales, table };
    return table;
  };
};

export const encodingCache = (encoding: Encoding, kernel: Kernel): EncodingCache => {
  const { edges } = encoding.edges;
  const bins = facetRecord((field) => binsByScale(encoding.cuts[field], edges[field]));
  const binsOf: EncodingCache['binsOf'] = (field, scale) => bins[field][scale];
  const axes = new Map<string, Axis>();
  return {
    encoding,
    kernel,
    binsOf,
    binTable: binTables(binsOf),
    axisOf: (field, scale) => {
      const key = `${field} ${scale}`;
      const cached = axes.get(key);
      if (cached) return cached;
      const snapPoints = snapPointsOnScale(field, scale, edges);
      const axis = { snapPoints, intervals: intervalsByCode(encoding.snapPoints[field], snapPoints) };
      axes.set(key, axis);
      return axis;
    },
    hits: recentCache(minCachedHits),
    slots: new Uint32Array(encoding.layout.capacity + 1),
    words: { marks: new Uint32Array(encoding.layout.capacity), last: 0 },
  };
};

const histogramOf = (counts: Uint32Array, bins: Uint8Array): CatalogueHistogram => {
  const sums = countsByBin(counts, bins);
  return { counts: sums.slice(0, -1), unknown: sums.at(-1) ?? 0 };
};

export const snapshotCache = (snapshot: Snapshot, { binsOf }: EncodingCache): SnapshotCache => {
  const histograms = facetRecord(() => new Map<Scale, CatalogueHistogram>());
  return {
    snapshot,
    catalogueHistogram: (field, scale) => {
      const cached = histograms[field].get(scale);
      if (cached) return cached;
      const histogram = histogramOf(snapshot.counts[field], binsOf(field, scale));
      histograms[field].set(scale, histogram);
      return histogram;
    },
    candidates: recentCache(minCachedCandidates),
  };
};

export const hitOf = (
  { hits, snapshot }: Pick<SnapshotView, 'hits' | 'snapshot'>,
  slot: number,
): SearchHit => {
  const cached = hits.get(slot);
  if (cached) return cached;
  const hit = readHit(snapshot.columns, slot);
  hits.set(slot, hit);
  return hit;
};
