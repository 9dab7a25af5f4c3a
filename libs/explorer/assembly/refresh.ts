import { binsStandTogether, Cell, firstBin } from './cell';
import { excludeBeyond, markFailures, maskFrom } from './columns';
import { failingOneEnd, listRows, passingCount, passingEnd } from './lists';
import {
  binsOffset,
  cellBytes,
  countsOffset,
  facetCount,
  failingOneOffset,
  passingOffset,
  rowBlock,
  scratch,
} from './scratch';

/**
 * The rows of a list count in two cells in turn: a counter that was written a moment ago is slow to read, and
 * neighbours often share their bins.
 */
function inTurn(cells: usize, place: usize): usize {
  return cells + (place & 2) * (cellBytes / 2);
}

function countPassingTogether(cells: usize, first: usize): void {
  const bins = firstBin() + facetCount * first;
  const end = passingEnd;
  for (let place = scratch + passingOffset; place < end; place += 2) {
    Cell.addTogether(inTurn(cells, place), bins + facetCount * load<u16>(place));
  }
}

function countPassing(cells: usize, first: usize): void {
  const table = scratch + binsOffset;
  const end = passingEnd;
  for (let place = scratch + passingOffset; place < end; place += 2) {
    Cell.add(inTurn(cells, place), table, first + load<u16>(place));
  }
}

function countFailingOne(cells: usize, first: usize): void {
  const table = scratch + binsOffset;
  const mask = maskFrom(first);
  const end = failingOneEnd;
  for (let place = scratch + failingOneOffset; place < end; place += 2) {
    const row = load<u16>(place) as usize;
    const facet = ctz(load<u8>(mask + row) as usize);
    Cell.addFacet(inTurn(cells, place), table, facet, first + row);
  }
}

/** Adds to the first of four cells the three that stand behind it. */
function foldCells(cells: usize): void {
  for (let at = cells; at < cells + cellBytes; at += 16) {
    const passing = i32x4.add(v128.load(at), v128.load(at, cellBytes));
    const failingOne = i32x4.add(v128.load(at, 2 * cellBytes), v128.load(at, 3 * cellBytes));
    v128.store(at, i32x4.add(passing, failingOne));
  }
}

/** Marks and counts rows 0 to `size`; the answer is how many fail nothing. */
export function refresh(size: usize): usize {
  const cells = scratch + countsOffset;
  const together = binsStandTogether();
  memory.fill(cells, 0, 4 * cellBytes);
  excludeBeyond(size);
  let total: usize = 0;
  for (let first: usize = 0; first < size; first += rowBlock) {
    const end = min(first + rowBlock, size);
    markFailures(first, end);
    listRows(maskFrom(first), maskFrom(end));
    total += passingCount();
    if (together) countPassingTogether(cells, first);
    else countPassing(cells, first);
    countFailingOne(cells + 2 * cellBytes, first);
  }
  foldCells(cells);
  return total;
}
