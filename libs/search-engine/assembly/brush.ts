import { bucketsFrom, codesFrom, excludeBeyond, markFailures, maskFrom } from './columns';
import { addOne } from './count';
import { failingOneEnd, listRows, passingEnd } from './lists';
import {
  binsOffset,
  cellBytes,
  cellOfOffset,
  cellsOffset,
  facetCount,
  failingOneOffset,
  histogramBytes,
  hitsOffset,
  passingOffset,
  rowBlock,
  scratch,
} from './scratch';

/** The cell of a row, by its code in the active facet. */
function cellOf(row: usize, codes: usize): usize {
  const code = load<u16>(codes + 2 * row) as usize;
  return scratch + cellsOffset + cellBytes * load<u16>(scratch + cellOfOffset + 2 * code);
}

/** Counts in one histogram of a cell the row whose buckets stand at this address. */
function countIn(facet: usize, cell: usize, buckets: usize): void {
  const bucket = load<u8>(buckets + facet) as usize;
  addOne(cell + facet * histogramBytes + load<u8>(scratch + binsOffset + 256 * facet + bucket));
}

function countPassing(active: usize, first: usize): void {
  const codes = codesFrom(active, first);
  const buckets = bucketsFrom(first);
  const end = passingEnd;
  for (let place = scratch + passingOffset; place < end; place += 2) {
    const row = load<u16>(place) as usize;
    const cell = cellOf(row, codes);
    const own = buckets + facetCount * row;
    countIn(0, cell, own);
    countIn(1, cell, own);
    countIn(2, cell, own);
    countIn(3, cell, own);
    countIn(4, cell, own);
    countIn(5, cell, own);
    countIn(6, cell, own);
    countIn(7, cell, own);
  }
}

function countFailingOne(active: usize, first: usize): void {
  const codes = codesFrom(active, first);
  const buckets = bucketsFrom(first);
  const mask = maskFrom(first);
  const end = failingOneEnd;
  for (let place = scratch + failingOneOffset; place < end; place += 2) {
    const row = load<u16>(place) as usize;
    const facet = ctz(load<u8>(mask + row) as usize);
    if (facet != active) countIn(facet, cellOf(row, codes), buckets + facetCount * row);
  }
}

/** Adds up what passing rows have left in the histogram of the active facet. */
function sumOf(histogram: usize): u32 {
  let sums = i32x4.splat(0);
  for (let at = histogram; at < histogram + histogramBytes; at += 16) sums = i32x4.add(sums, v128.load(at));
  const low = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  return (low + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)) as u32;
}

export function beginBrush(cells: usize): void {
  memory.fill(scratch + cellsOffset, 0, cells * cellBytes);
}

/** Marks and counts rows `from` to `to`, on top of what the cells hold. */
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
 * Adds up the hits. Every row that passes has counted in eight histograms, as that is faster than to leave one out:
 * the active facet's serves for this.
 */
export function endBrush(active: usize, cells: usize): void {
  for (let cell: usize = 0; cell < cells; cell++) {
    const histogram = scratch + cellsOffset + cell * cellBytes + active * histogramBytes;
    store<u32>(scratch + hitsOffset + 4 * cell, sumOf(histogram));
    memory.fill(histogram, 0, histogramBytes);
  }
}
