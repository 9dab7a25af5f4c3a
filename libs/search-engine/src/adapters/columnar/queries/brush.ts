import { facetFields } from '../../../contract.ts';
import type { BrushAnswer, BrushQuery } from '../../../search-port.ts';
import { prepareMask } from './search.ts';
import { candidatesOf } from './candidates.ts';
import { binStride, facetCount } from '../kernel/kernel.ts';
import { rowBlock } from '../kernel/layout.ts';
import type { Reading } from './snapshot-view.ts';

/** Rows that are counted without a look at the clock. */
const rowsInAPiece = 64 * rowBlock;

const open = { low: -Infinity, high: Infinity };

/** Out of the kernel's counts those of one facet, cell after cell. */
const countsOf = (counts: Uint32Array, facet: number, cells: number, length: number): Uint32Array => {
  const own = new Uint32Array(cells * length);
  for (let cell = 0; cell < cells; cell++) {
    const from = (cell * facetCount + facet) * binStride;
    own.set(counts.subarray(from, from + length), cell * length);
  }
  return own;
};

/** One pass over the catalogue, in pieces, answers a whole drag. */
export const brushed = async (reading: Reading, query: BrushQuery): Promise<BrushAnswer> => {
  const { snapshot, generation, kernel, pace, signal } = reading;
  const { filter, active, scales } = query;
  const { stops, cells: cellOf } = reading.axisOf(active, scales[active]);
  const candidates = await candidatesOf(reading, filter);
  const cells = 2 * stops.length + 2;
  const pass = kernel.brush({
    ranges: prepareMask(reading, candidates, { ...filter.ranges, [active]: open }),
    active: facetFields.indexOf(active),
    cellOf,
    cells,
    bins: reading.binTable(scales),
  });
  for (let from = 0; from < snapshot.size; from += rowsInAPiece) {
    if (pace.isDue()) await pace.rest(signal);
    pass.count(from, Math.min(snapshot.size, from + rowsInAPiece));
  }
  const { hits, counts } = pass.done();
  const facets = facetFields.flatMap((field, facet) => {
    if (field === active) return [];
    const scale = scales[field];
    const bins = generation.edges.edges[field][scale].length - 1;
    return [{ field, scale, bins, counts: countsOf(counts, facet, cells, bins + 1) }];
  });
  return { position: snapshot.position, stops, hits: hits.slice(), facets };
};
