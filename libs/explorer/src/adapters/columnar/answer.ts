import { facetFields, type FacetField, type Histogram, type Scale } from '../../contract.ts';
import type { HistogramScales, SearchAnswer, SearchFilter, SearchQuery } from '../../search-port.ts';
import { candidatesOf } from './candidates.ts';
import { matrixOf } from './codes.ts';
import { candidateExtents, countedExtents, type CountedFacet } from './extents.ts';
import { binStride } from './kernel/kernel.ts';
import { pageSlots } from './pages.ts';
import { codeRanges, hasActiveRange } from './ranges.ts';
import { hitOf, type Candidates, type Reading } from './reading.ts';
import { liveRows, type Extent } from './snapshot.ts';

/** Which rows pass, and the bins they are in. */
export type Refreshed = Readonly<{
  total: number;
  /** 0 for the rows that pass, a single bit for those that fail one range. */
  mask: Uint8Array;
  /** Counts of every facet, the last one of unknown values. */
  counts: Readonly<Record<number, readonly number[]>>;
  /** True when nothing narrows the catalogue. */
  isWhole: boolean;
}>;

const scaleOf = (scales: HistogramScales, field: FacetField): number => {
  const scale = scales[field];
  return scale ? matrixOf(field, scale) : 0;
};

export const matricesOf = (scales: HistogramScales): Uint8Array =>
  Uint8Array.from(facetFields, (field) => scaleOf(scales, field));

/** The whole catalogue needs no pass: its counts are kept with the snapshot. */
const wholeCatalogue = ({ snapshot }: Reading, scales: HistogramScales): Refreshed => ({
  total: liveRows(snapshot),
  mask: snapshot.alive,
  counts: facetFields.map((field) => snapshot.counts[field][scaleOf(scales, field)] ?? []),
  isWhole: true,
});

/** Writes the candidates into the kernel's mask, and says by which codes it is to go on. */
export const prepareMask = (
  reading: Reading,
  candidates: Candidates | null,
  ranges: SearchFilter['ranges'],
): Uint16Array => {
  reading.kernel.mask.set(candidates?.mask ?? reading.snapshot.alive);
  return codeRanges(reading, ranges);
};

export const refreshed = (
  reading: Reading,
  filter: SearchFilter,
  candidates: Candidates | null,
  scales: HistogramScales,
): Refreshed => {
  if (!candidates && !hasActiveRange(filter)) return wholeCatalogue(reading, scales);
  const { kernel, snapshot, generation, counts } = reading;
  const ranges = prepareMask(reading, candidates, filter.ranges);
  const matrices = matricesOf(scales);
  const total = kernel.refresh({ size: snapshot.size, ranges, matrices, counts });
  const { edges } = generation.edges;
  return {
    total,
    mask: kernel.mask,
    counts: facetFields.map((field, facet) => {
      const start = facet * binStride;
      const bins = edges[field][scales[field] ?? 'linear'].length;
      return [...counts.subarray(start, start + bins)];
    }),
    isWhole: false,
  };
};

type Wanted = CountedFacet & Readonly<{ scale: Scale; unknown: number; unknownAll: number }>;

const wantedFacets = (
  { snapshot, generation }: Reading,
  { counts }: Refreshed,
  scales: HistogramScales,
): readonly Wanted[] =>
  facetFields.flatMap((field, facet) => {
    const scale = scales[field];
    if (!scale) return [];
    const all = snapshot.counts[field][matrixOf(field, scale)] ?? [];
    const own = counts[facet] ?? [];
    return [
      {
        field,
        scale,
        edges: generation.edges.edges[field][scale],
        counts: own.slice(0, -1),
        all: all.slice(0, -1),
        unknown: own.at(-1) ?? 0,
        unknownAll: all.at(-1) ?? 0,
      },
    ];
  });

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** How many rows fail one range at most: those that pass are in every histogram. */
const rowsCounted = ({ total, counts }: Refreshed): number =>
  facetFields.reduce((rows, _, facet) => rows + sum(counts[facet] ?? []) - total, total);

const histograms = async (
  reading: Reading,
  refreshed: Refreshed,
  scales: HistogramScales,
): Promise<readonly Histogram[]> => {
  const wanted = wantedFacets(reading, refreshed, scales);
  const whole = reading.snapshot.extents;
  const filtered: readonly Extent[] = refreshed.isWhole
    ? wanted.map(({ field }) => whole[field])
    : await countedExtents(reading, wanted, refreshed.mask, rowsCounted(refreshed));
  return wanted.map(({ field, scale, edges, counts, all, unknown, unknownAll }, at) => ({
    field,
    scale,
    edges: [...edges],
    counts: [...counts],
    all: [...all],
    unknown,
    unknownAll,
    ...whole[field],
    filteredMin: filtered[at]?.min ?? null,
    filteredMax: filtered[at]?.max ?? null,
  }));
};

/** Answers one query from one snapshot. */
export const answer = async (reading: Reading, query: SearchQuery): Promise<SearchAnswer> => {
  const { snapshot, pace, signal } = reading;
  const { filter, page, histograms: scales = {} } = query;
  const candidates = await candidatesOf(reading, filter);
  if (pace.isDue()) await pace.rest(signal);
  const found = refreshed(reading, filter, candidates, scales);
  if (pace.isDue()) await pace.rest(signal);
  const slots = page ? await pageSlots(reading, found.mask, found.total, page) : [];
  return {
    position: snapshot.position,
    demo: snapshot.demoRows > 0,
    total: found.total,
    hits: slots.map((slot) => hitOf(reading, slot)),
    histograms: await histograms(reading, found, scales),
    ranges: query.ranges ? { ...(await candidateExtents(reading, candidates)) } : null,
  };
};
