import { facetFields } from '@tapedeck/search-engine/contract';
import type { BrushAnswer, BrushQuery } from '@tapedeck/search-engine/port';
import { binStride, rowBlock, type Layout } from '../kernel/layout.ts';
import { candidatesOf } from './candidates.ts';
import { prepareMask } from './ranges.ts';
import type { SnapshotView } from './snapshot-view.ts';

/** Rows that are counted without checking the time. */
const rowsPerPiece = 64 * rowBlock;

const openRange = { low: -Infinity, high: Infinity };

/** The counts of one facet, interval after interval, from the counts of the kernel. */
const countsOf = (
  counts: Uint32Array,
  { histograms }: Layout,
  facet: number,
  intervals: number,
  length: number,
): Uint32Array => {
  const facetCounts = new Uint32Array(intervals * length);
  for (let interval = 0; interval < intervals; interval++) {
    const from = (interval * histograms + facet) * binStride;
    facetCounts.set(counts.subarray(from, from + length), interval * length);
  }
  return facetCounts;
};

/** One pass over the catalogue answers all requests of a drag. */
export const brush = async (view: SnapshotView, query: BrushQuery): Promise<BrushAnswer> => {
  const { snapshot, encoding, kernel, scheduler, signal } = view;
  const { filter, active, scales } = query;
  const { snapPoints, intervals: intervalOf } = view.axisOf(active, scales[active]);
  const candidates = await candidatesOf(view, filter);
  const intervals = 2 * snapPoints.length + 2;
  const pass = kernel.brush({
    ranges: prepareMask(view, candidates, { ...filter.ranges, [active]: openRange }),
    active: facetFields.indexOf(active),
    intervalOf,
    intervals,
    bins: view.binTable(scales),
  });
  for (let from = 0; from < snapshot.size; from += rowsPerPiece) {
    if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
    pass.count(from, Math.min(snapshot.size, from + rowsPerPiece));
  }
  const { hits, counts } = pass.done();
  const facets = facetFields.flatMap((field, facet) => {
    if (field === active) return [];
    const scale = scales[field];
    const bins = encoding.edges.edges[field][scale].length - 1;
    return [{ field, scale, bins, counts: countsOf(counts, encoding.layout, facet, intervals, bins + 1) }];
  });
  return { position: snapshot.position, snapPoints, hits: hits.slice(), facets };
};
