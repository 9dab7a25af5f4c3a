import { Cell } from './cell';
import { codesFrom, excludeBeyond, markFailures, maskFrom } from './columns';
import { failingOneEnd, listRows, passingEnd } from './lists';
import {
  binsOffset,
  cellBytes,
  cellOfOffset,
  cellsOffset,
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

function countPassing(active: usize, first: usize): void {
  const table = scratch + binsOffset;
  const codes = codesFrom(active, first);
  const end = passingEnd;
  for (let place = scratch + passingOffset; place < end; place += 2) {
    const row = load<u16>(place) as usize;
    Cell.add(cellOf(row, codes), table, first + row);
  }
}

function countFailingOne(active: usize, first: usize): void {
  const table = scratch + binsOffset;
  const codes = codesFrom(active, first);
  const mask = maskFrom(first);
  const end = failingOneEnd;
  for (let place = scratch + failingOneOffset; place < end; place += 2) {
    const row = load<u16>(place) as usize;
    const facet = ctz(load<u8>(mask + row) as usize);
    if (facet != active) Cell.addFacet(cellOf(row, codes), table, facet, first + row);
  }
}

/** Adds up what passing rows have left in the histogram of the active facet, and clears it. */
function takeHits(active: usize, cell: usize): u32 {
  const histogram = scratch + cellsOffset + cell * cellBytes + active * histogramBytes;
  let sums = i32x4.splat(0);
  for (let at = histogram; at < histogram + histogramBytes; at += 16) sums = i32x4.add(sums, v128.load(at));
  memory.fill(histogram, 0, histogramBytes);
  const low = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  return (low + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)) as u32;
}

/** Whether every code has one of so many cells. */
export function cellsSuffice(cells: i32): bool {
  const beyond = i16x8.splat(cells as i16);
  let found = i16x8.splat(0);
  const table = scratch + cellOfOffset;
  for (let at = table; at < table + 2 * 65_536; at += 16) {
    found = v128.or(found, i16x8.ge_u(v128.load(at), beyond));
  }
  return !v128.any_true(found);
}

/** Marks and counts rows `from` to `to`, on top of what the cells and their hits hold. */
export function brush(from: usize, to: usize, active: usize, cells: usize): void {
  // Every row that passes counts in eight histograms, as that is faster than to leave one out. The active
  // facet's serves for the hits.
  for (let cell: usize = 0; cell < cells; cell++) takeHits(active, cell);
  excludeBeyond(to);
  for (let first = from; first < to; first += rowBlock) {
    const end = min(first + rowBlock, to);
    markFailures(first, end);
    listRows(maskFrom(first), maskFrom(end));
    countPassing(active, first);
    countFailingOne(active, first);
  }
  for (let cell: usize = 0; cell < cells; cell++) {
    const hits = scratch + hitsOffset + 4 * cell;
    store<u32>(hits, load<u32>(hits) + takeHits(active, cell));
  }
}
