import { facetFields } from '@tapedeck/search-engine/contract';
import type { BrushAnswer, BrushQuery } from '@tapedeck/search-engine/port';
import { binStride, rowBlock, type Layout } from '../kernel/layout.ts';
import { candidatesOf } from './candidates.ts';
import { prepareMask } from './ranges.ts';
import type { SnapshotView } from './snapshot-view.ts';

/** Rows that are counted without checking the time. */
const rowsPerPiece = 64 * rowBlock;

const openRange = { low: -Infinity, high: Infinity };

/** The counts of one facet, cell after cell, from the counts of the kernel. */
const countsOf = (
  counts: Uint32Array,
  { histograms }: Layout,
  facet: number,
  cells: number,
  length: number,
): Uint32Array => {
  const facetCounts = new Uint32Array(cells * length);
  for (let cell = 0; cell < cells; cell++) {
    const from = (cell * histograms + facet) * binStride;
    facetCounts.set(counts.subarray(from, from + length), cell * length);
  }
  return facetCounts;
};

/** One pass over the catalogue answers all requests of a drag. */
export const brush = async (view: SnapshotView, query: BrushQuery): Promise<BrushAnswer> => {
  const { snapshot, generation, kernel, scheduler, signal } = view;
  const { filter, active, scales } = query;
  const { stops, cells: cellOf } = view.axisOf(active, scales[active]);
  const candidates = await candidatesOf(view, filter);
  const cells = 2 * stops.length + 2;
  const pass = kernel.brush({
    ranges: prepareMask(view, candidates, { ...filter.ranges, [active]: openRange }),
    active: facetFields.indexOf(active),
    cellOf,
    cells,
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
    const bins = generation.edges.edges[field][scale].length - 1;
    return [{ field, scale, bins, counts: countsOf(counts, generation.layout, facet, cells, bins + 1) }];
  });
  return { position: snapshot.position, stops, hits: hits.slice(), facets };
};
