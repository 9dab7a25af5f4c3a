import { bucketsFrom, codesFrom, excludeBeyond, failedFacet, markFailures, maskFrom } from './columns';
import { failingOneEnd, listRows, passingEnd } from './lists';
import {
  binsOffset,
  intervalBytes,
  intervalOfOffset,
  intervalsOffset,
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

/** The address of the interval of a row, by its code in the active facet. */
function intervalOf(row: usize, codes: usize): usize {
  const code = load<u16>(codes + 2 * row) as usize;
  return scratch + intervalsOffset + intervalBytes() * load<u16>(scratch + intervalOfOffset + 2 * code);
}

/** Counts the row with these buckets in one histogram of an interval. */
function countIn(facet: usize, interval: usize, buckets: usize): void {
  const bucket = load<u8>(buckets + facet) as usize;
  increment(interval + facet * histogramBytes + load<u8>(scratch + binsOffset + 256 * facet + bucket));
}

function countPassing(active: usize, first: usize): void {
  const codes = codesFrom(active, first);
  const buckets = bucketsFrom(first);
  const end = passingEnd;
  const used = facets;
  for (let address = scratch + passingOffset; address < end; address += 2) {
    const row = load<u16>(address) as usize;
    const interval = intervalOf(row, codes);
    const rowBuckets = buckets + facetStride * row;
    countIn(0, interval, rowBuckets);
    countIn(1, interval, rowBuckets);
    countIn(2, interval, rowBuckets);
    countIn(3, interval, rowBuckets);
    countIn(4, interval, rowBuckets);
    countIn(5, interval, rowBuckets);
    countIn(6, interval, rowBuckets);
    countIn(7, interval, rowBuckets);
    if (isNarrow) continue;
    for (let facet: usize = 8; facet < used; facet++) countIn(facet, interval, rowBuckets);
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
    if (facet != active) countIn(facet, intervalOf(row, codes), buckets + facetStride * row);
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

export function beginBrush(intervals: usize): void {
  memory.fill(scratch + intervalsOffset, 0, intervals * intervalBytes());
}

/** Marks and counts rows `from` to `to`; adds to the counts in the intervals. */
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
export function endBrush(active: usize, intervals: usize): void {
  for (let interval: usize = 0; interval < intervals; interval++) {
    const histogram = scratch + intervalsOffset + interval * intervalBytes() + active * histogramBytes;
    store<u32>(scratch + hitsOffset + 4 * interval, sumOf(histogram));
    memory.fill(histogram, 0, histogramBytes);
  }
}
