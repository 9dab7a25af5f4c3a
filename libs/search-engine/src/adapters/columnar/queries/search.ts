import { facetFields, type FacetField, type Histogram, type Scale } from '../../../contract.ts';
import type { HistogramScales, SearchAnswer, SearchFilter, SearchQuery } from '../../../search-port.ts';
import { candidatesOf } from './candidates.ts';
import { candidateExtents, countedExtents, type CountedFacet } from './min-max.ts';
import { binStride } from '../kernel/kernel.ts';
import { rowBlock } from '../kernel/layout.ts';
import { pageSlots } from './page.ts';
import { bucketRanges, hasActiveRange } from './ranges.ts';
import { hitOf, type Candidates, type Reading } from './snapshot-view.ts';
import { liveRows, type Extent } from '../snapshot/snapshot.ts';
import { wordAt } from '../snapshot/typed-arrays.ts';

/** Which rows pass, and the bins they are in. */
export type Refreshed = Readonly<{
  total: number;
  /** 0 for the rows that pass, a single bit for those that fail one range. */
  mask: Uint8Array;
  /** As the kernel counts; null for the whole catalogue, whose counts are kept with the snapshot. */
  counts: Uint32Array | null;
}>;

/** Writes the candidates into the kernel's mask, and says by which buckets it is to go on. */
export const prepareMask = (
  reading: Reading,
  candidates: Candidates | null,
  ranges: SearchFilter['ranges'],
): Uint8Array => {
  reading.kernel.mask.set(candidates?.mask ?? reading.snapshot.alive);
  return bucketRanges(reading, ranges);
};

/** Rows that are counted without a look at the clock. */
const rowsInAPiece = 128 * rowBlock;
/** Rows that are counted in a millisecond, about. */
const rowsInAMilli = 500_000;

export const refreshed = async (
  reading: Reading,
  filter: SearchFilter,
  candidates: Candidates | null,
  scales: HistogramScales,
): Promise<Refreshed> => {
  const { kernel, snapshot, pace, signal } = reading;
  if (!candidates && !hasActiveRange(filter)) {
    return { total: liveRows(snapshot), mask: snapshot.alive, counts: null };
  }
  const ranges = prepareMask(reading, candidates, filter.ranges);
  const pass = kernel.refresh({ ranges, bins: reading.binTable(scales) });
  for (let from = 0; from < snapshot.size; from += rowsInAPiece) {
    const to = Math.min(snapshot.size, from + rowsInAPiece);
    if (pace.isDue((to - from) / rowsInAMilli)) await pace.rest(signal);
    pass.count(from, to);
  }
  const { total, counts } = pass.done();
  return { total, mask: kernel.mask, counts };
};

const numbersFrom = (counts: Uint32Array, start: number, length: number): number[] => {
  const numbers: number[] = [];
  for (let place = start; place < start + length; place++) numbers.push(wordAt(counts, place));
  return numbers;
};

type Wanted = CountedFacet &
  Readonly<{
    edges: number[];
    counts: number[];
    all: number[];
    scale: Scale;
    unknown: number;
    unknownAll: number;
  }>;

const wantedFacet = (
  { wholeOf, generation }: Reading,
  { counts }: Refreshed,
  field: FacetField,
  scale: Scale,
): Wanted => {
  const edges = [...generation.edges.edges[field][scale]];
  const bins = edges.length - 1;
  const { counts: all, unknown: unknownAll } = wholeOf(field, scale);
  const start = binStride * facetFields.indexOf(field);
  return {
    field,
    scale,
    edges,
    all: [...all],
    unknownAll,
    counts: counts ? numbersFrom(counts, start, bins) : [...all],
    unknown: counts ? wordAt(counts, start + bins) : unknownAll,
  };
};

/** How many rows fail one range at most: those that pass are in all eight histograms. */
const rowsCounted = (counts: Uint32Array, total: number): number =>
  counts.reduce((sum, count) => sum + count, 0) - (facetFields.length - 1) * total;

const histograms = async (
  reading: Reading,
  found: Refreshed,
  scales: HistogramScales,
): Promise<readonly Histogram[]> => {
  const wanted: Wanted[] = [];
  for (const field of facetFields) {
    const scale = scales[field];
    if (scale) wanted.push(wantedFacet(reading, found, field, scale));
  }
  const { counts, mask, total } = found;
  const whole = reading.snapshot.extents;
  const filtered: readonly Extent[] = counts
    ? await countedExtents(reading, wanted, mask, () => rowsCounted(counts, total))
    : wanted.map(({ field }) => whole[field]);
  return wanted.map(({ field, scale, edges, counts, all, unknown, unknownAll }, at) => ({
    field,
    scale,
    edges,
    counts,
    all,
    unknown,
    unknownAll,
    min: whole[field].min,
    max: whole[field].max,
    filteredMin: filtered[at]?.min ?? null,
    filteredMax: filtered[at]?.max ?? null,
  }));
};

/** Answers one query from one snapshot. */
export const answer = async (reading: Reading, query: SearchQuery): Promise<SearchAnswer> => {
  const { snapshot, pace, signal } = reading;
  const { filter, page, histograms: scales = {} } = query;
  const candidates = await candidatesOf(reading, filter);
  const found = await refreshed(reading, filter, candidates, scales);
  if (pace.isDue()) await pace.rest(signal);
  const slots = page ? await pageSlots(reading, found, filter, page) : [];
  return {
    position: snapshot.position,
    demo: snapshot.demoRows > 0,
    total: found.total,
    hits: slots.map((slot) => hitOf(reading, slot)),
    histograms: await histograms(reading, found, scales),
    ranges: query.ranges ? { ...(await candidateExtents(reading, candidates)) } : null,
  };
};
