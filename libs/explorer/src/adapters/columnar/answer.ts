import { facetFields, type FacetField, type Histogram, type Scale } from '../../contract.ts';
import type {
  HistogramScales,
  SearchAnswer,
  SearchFilter,
  SearchPage,
  SearchQuery,
} from '../../search-port.ts';
import { candidates } from './candidates.ts';
import { readHit } from './columns.ts';
import { candidateExtents, catalogueExtent, countedExtent } from './extents.ts';
import { binStride, type Kernel, type Lane, type Lanes, type RefreshJob } from './kernel.ts';
import { binsOf, catalogueCounts, columnOrder, sortColumn, type Snapshot } from './snapshot.ts';
import { byteAt, wordAt } from './typed-arrays.ts';

/** Working memory, used again by every query: each is answered without a pause. */
export type Scratch = { mask: Uint8Array; readonly counts: Uint32Array };

export const emptyScratch = (): Scratch => ({
  mask: new Uint8Array(0),
  counts: new Uint32Array(facetFields.length * binStride),
});

const lanesOf = (snapshot: Snapshot, { ranges }: SearchFilter): readonly [Lanes, Lanes] => {
  const { numbers } = snapshot.columns;
  const lane = (field: FacetField): Lane => ({ values: numbers[field], ...ranges[field] });
  return [
    [lane('totalPandlPercent'), lane('maxDrawdownPercent'), lane('profitFactor'), lane('sharpeRatio')],
    [lane('likes'), lane('views'), lane('comments'), lane('codeLines')],
  ];
};

const activeRanges = ({ ranges }: SearchFilter): number =>
  facetFields.reduce((bits, field, facet) => {
    const { low, high } = ranges[field];
    return low === -Infinity && high === Infinity ? bits : bits | (1 << facet);
  }, 0);

const wantedBins = (snapshot: Snapshot, scales: HistogramScales): readonly (Uint8Array | null)[] =>
  facetFields.map((field) => {
    const scale = scales[field];
    return scale ? binsOf(snapshot, field, scale) : null;
  });

const histogramOf = (
  snapshot: Snapshot,
  { mask, counts }: RefreshJob,
  field: FacetField,
  scale: Scale,
): Histogram => {
  const facet = facetFields.indexOf(field);
  const edges = snapshot.edges.edges[field][scale];
  const bins = edges.length - 1;
  const start = facet * binStride;
  const counted = [...counts.subarray(start, start + bins)];
  const all = catalogueCounts(snapshot, field, scale);
  const filtered = countedExtent(snapshot, field, { mask, allowed: 1 << facet }, edges, counted);
  return {
    field,
    scale,
    edges: [...edges],
    counts: counted,
    all: all.slice(0, bins),
    unknown: wordAt(counts, start + bins),
    unknownAll: all[bins] ?? 0,
    ...catalogueExtent(snapshot, field),
    filteredMin: filtered.min,
    filteredMax: filtered.max,
  };
};

const pageSlots = (
  snapshot: Snapshot,
  mask: Uint8Array,
  total: number,
  { sort, order, offset, limit }: SearchPage,
): readonly number[] => {
  const slots: number[] = [];
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return slots;
  const rows = columnOrder(snapshot, sortColumn[sort], order);
  let skip = offset;
  for (let place = 0; slots.length < wanted && place < rows.length; place++) {
    const slot = wordAt(rows, place);
    if (byteAt(mask, slot) !== 0) continue;
    if (skip > 0) skip--;
    else slots.push(slot);
  }
  return slots;
};

/** The whole catalogue needs no pass: its counts are kept with the snapshot. */
const refreshed = (snapshot: Snapshot, job: RefreshJob, kernel: Kernel, scales: HistogramScales): number => {
  if (job.active !== 0 || job.base !== snapshot.alive) return kernel.refresh(job);
  job.mask.set(snapshot.alive);
  facetFields.forEach((field, facet) => {
    const scale = scales[field];
    if (scale) job.counts.set(catalogueCounts(snapshot, field, scale), facet * binStride);
  });
  return snapshot.size - snapshot.dead;
};

/** Answers one query from one snapshot. */
export const answer = (
  snapshot: Snapshot,
  query: SearchQuery,
  kernel: Kernel,
  scratch: Scratch,
): SearchAnswer => {
  const { filter, page, histograms = {} } = query;
  if (scratch.mask.length < snapshot.size) scratch.mask = new Uint8Array(snapshot.columns.capacity);
  const base = candidates(snapshot, filter);
  const job: RefreshJob = {
    size: snapshot.size,
    base,
    lanes: lanesOf(snapshot, filter),
    active: activeRanges(filter),
    bins: wantedBins(snapshot, histograms),
    mask: scratch.mask,
    counts: scratch.counts,
  };
  const total = refreshed(snapshot, job, kernel, histograms);
  const slots = page ? pageSlots(snapshot, job.mask, total, page) : [];
  return {
    position: snapshot.position,
    demo: snapshot.demoRows > 0,
    total,
    hits: slots.map((slot) => readHit(snapshot.columns, snapshot.flags, slot)),
    histograms: facetFields.flatMap((field) => {
      const scale = histograms[field];
      return scale ? [histogramOf(snapshot, job, field, scale)] : [];
    }),
    ranges: query.ranges ? candidateExtents(snapshot, base) : null,
  };
};
