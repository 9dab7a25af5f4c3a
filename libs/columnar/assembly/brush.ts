import { bucketsFrom, codesFrom, excludeBeyond, failedFacet, markFailures, maskFrom } from './columns';
import { failingOneEnd, listRows, passingEnd } from './lists';
import {
  binsOffset,
  cellBytes,
  cellOfOffset,
  cellsOffset,
  facetStride,
  facets,
  failingOneOffset,
  histogramBytes,
  hitsOffset,
  increment,
  isNarrow,
  passingOffset,
  rowBlock,
  scratch,
} from './scratch';

/** The address of the cell of a row, by its code in the active facet. */
function cellOf(row: usize, codes: usize): usize {
  const code = load<u16>(codes + 2 * row) as usize;
  return scratch + cellsOffset + cellBytes() * load<u16>(scratch + cellOfOffset + 2 * code);
}

/** Counts the row with these buckets in one histogram of a cell. */
function countIn(facet: usize, cell: usize, buckets: usize): void {
  const bucket = load<u8>(buckets + facet) as usize;
  increment(cell + facet * histogramBytes + load<u8>(scratch + binsOffset + 256 * facet + bucket));
}

function countPassing(active: usize, first: usize): void {
  const codes = codesFrom(active, first);
  const buckets = bucketsFrom(first);
  const end = passingEnd;
  const used = facets;
  for (let address = scratch + passingOffset; address < end; address += 2) {
    const row = load<u16>(address) as usize;
    const cell = cellOf(row, codes);
    const rowBuckets = buckets + facetStride * row;
    countIn(0, cell, rowBuckets);
    countIn(1, cell, rowBuckets);
    countIn(2, cell, rowBuckets);
    countIn(3, cell, rowBuckets);
    countIn(4, cell, rowBuckets);
    countIn(5, cell, rowBuckets);
    countIn(6, cell, rowBuckets);
    countIn(7, cell, rowBuckets);
    if (isNarrow) continue;
    for (let facet: usize = 8; facet < used; facet++) countIn(facet, cell, rowBuckets);
  }
}

function countFailingOne(active: usize, first: usize): void {
  const codes = codesFrom(active, first);
  const buckets = bucketsFrom(first);
  const mask = maskFrom(first);
  const end = failingOneEnd;
  for (let address = scratch + failingOneOffset; address < end; address += 2) {
    const row = load<u16>(address) as usize;
    const facet = failedFacet(mask, row);
    if (facet != active) countIn(facet, cellOf(row, codes), buckets + facetStride * row);
  }
}

/** The sum of a histogram: in that of the active facet, the number of passing rows. */
function sumOf(histogram: usize): u32 {
  let sums = i32x4.splat(0);
  for (let address = histogram; address < histogram + histogramBytes; address += 16)
    sums = i32x4.add(sums, v128.load(address));
  const low = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  return (low + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)) as u32;
}

export function beginBrush(cells: usize): void {
  memory.fill(scratch + cellsOffset, 0, cells * cellBytes());
}

/** Marks and counts rows `from` to `to`; adds to the counts in the cells. */
export function brush(from: usize, to: usize, active: usize): void {
  excludeBeyond(to);
  for (let first = from; first < to; first += rowBlock) {
    const end = min(first + rowBlock, to);
    markFailures(first, end);
    listRows(maskFrom(first), maskFrom(end));
    countPassing(active, first);
    countFailingOne(active, first);
  }
}

/**
 * Adds up the hits. Each passing row is counted in all histograms, because that is faster than leaving one out: the
 * histogram of the active facet gives the hits, and is then cleared.
 */
export function endBrush(active: usize, cells: usize): void {
  for (let cell: usize = 0; cell < cells; cell++) {
    const histogram = scratch + cellsOffset + cell * cellBytes() + active * histogramBytes;
    store<u32>(scratch + hitsOffset + 4 * cell, sumOf(histogram));
    memory.fill(histogram, 0, histogramBytes);
  }
}
