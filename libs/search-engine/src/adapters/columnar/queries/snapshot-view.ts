import { facetFields, type FacetField, type Scale, facetRecord } from '../../../contract.ts';
import type { HistogramScales, SearchHit } from '../../../search-port.ts';
import { binsByScale, foldBuckets } from '../snapshot/buckets.ts';
import { cellsByCode, stopsOf } from '../snapshot/codes.ts';
import { readHit } from '../snapshot/hits.ts';
import { bucketCount, facetCount, type Kernel } from '../kernel/kernel.ts';
import { recent, type Recent } from './recent-cache.ts';
import type { Pace } from './scheduler.ts';
import type { Extent, Generation, Snapshot } from '../snapshot/snapshot.ts';
import type { WordRounds } from './word-rounds.ts';

/** What all filters but the eight ranges leave. */
export type Candidates = {
  /** 0 for the slots that pass, `excludedRow` for the others. */
  readonly mask: Uint8Array;
  /** Smallest and largest values among them; null until they are asked for. */
  extents: Readonly<Record<FacetField, Extent>> | null;
};

/** What stays as long as a generation does: slots are not renumbered, codes not drawn anew. */
export type GenerationReading = Readonly<{
  generation: Generation;
  kernel: Kernel;
  /** Tables of bins by bucket, as the kernel takes them. */
  binsOf: (field: FacetField, scale: Scale) => Uint8Array;
  /** Those of all facets one after the other, as a job has them; a facet without a scale has none. */
  binTable: (scales: HistogramScales) => Uint8Array;
  /** Cells of an axis by code, and its stops. */
  axisOf: (field: FacetField, scale: Scale) => Axis;
  /** Rows as they are shown; a slot's row never changes. */
  hits: Recent<number, SearchHit>;
  /** Working memory of questions, of which only one works at a time. One place more than there are slots. */
  slots: Uint32Array;
  words: WordRounds;
}>;

export type Axis = Readonly<{ stops: readonly number[]; cells: Uint16Array }>;

/** A histogram of the whole catalogue. */
type WholeHistogram = Readonly<{ counts: readonly number[]; unknown: number }>;

/** What stays as long as a snapshot does. */
export type SnapshotReading = Readonly<{
  snapshot: Snapshot;
  wholeOf: (field: FacetField, scale: Scale) => WholeHistogram;
  /** By filters without the ranges: a drag of a slider changes none of them. */
  candidates: Recent<string, Candidates>;
}>;

/** Everything that is needed to answer from one snapshot. */
export type Reading = GenerationReading &
  SnapshotReading &
  Readonly<{
    pace: Pace;
    signal: AbortSignal | undefined;
  }>;

const keptHits = 5_000;
const keptCandidates = 4;

type BinTable = Readonly<{ scales: HistogramScales; table: Uint8Array }>;

/** Mostly asked for the same scales as before. */
const binTables = (binsOf: GenerationReading['binsOf']): GenerationReading['binTable'] => {
  let last: BinTable = { scales: {}, table: new Uint8Array(facetCount * bucketCount) };
  return (scales) => {
    if (facetFields.every((field) => last.scales[field] === scales[field])) return last.table;
    const table = new Uint8Array(facetCount * bucketCount);
    facetFields.forEach((field, facet) => {
      const scale = scales[field];
      if (scale) table.set(binsOf(field, scale), facet * bucketCount);
    });
    last = { scales, table };
    return table;
  };
};

export const readingOf = (generation: Generation, kernel: Kernel): GenerationReading => {
  const { edges } = generation.edges;
  const bins = facetRecord((field) => binsByScale(generation.cuts[field], edges[field]));
  const binsOf: GenerationReading['binsOf'] = (field, scale) => bins[field][scale];
  const axes = new Map<string, Axis>();
  return {
    generation,
    kernel,
    binsOf,
    binTable: binTables(binsOf),
    axisOf: (field, scale) => {
      const key = `${field} ${scale}`;
      const known = axes.get(key);
      if (known) return known;
      const stops = stopsOf(field, scale, edges);
      const axis = { stops, cells: cellsByCode(generation.stops[field], stops) };
      axes.set(key, axis);
      return axis;
    },
    hits: recent(keptHits),
    slots: new Uint32Array(generation.layout.capacity + 1),
    words: { rounds: new Uint32Array(generation.layout.capacity), last: 0 },
  };
};

const wholeHistogram = (counts: Uint32Array, bins: Uint8Array): WholeHistogram => {
  const folded = foldBuckets(counts, bins);
  return { counts: folded.slice(0, -1), unknown: folded.at(-1) ?? 0 };
};

export const snapshotReadingOf = (snapshot: Snapshot, { binsOf }: GenerationReading): SnapshotReading => {
  const whole = facetRecord(() => new Map<Scale, WholeHistogram>());
  return {
    snapshot,
    wholeOf: (field, scale) => {
      const known = whole[field].get(scale);
      if (known) return known;
      const made = wholeHistogram(snapshot.counts[field], binsOf(field, scale));
      whole[field].set(scale, made);
      return made;
    },
    candidates: recent(keptCandidates),
  };
};

export const hitOf = ({ hits, snapshot }: Pick<Reading, 'hits' | 'snapshot'>, slot: number): SearchHit => {
  const known = hits.get(slot);
  if (known) return known;
  const hit = readHit(snapshot.columns, slot);
  hits.set(slot, hit);
  return hit;
};
