import { bucketsFrom, excludeBeyond, markFailures, maskFrom } from './columns';
import { addOne } from './count';
import { failingOneEnd, listRows, passingCount, passingEnd } from './lists';
import {
  binsOffset,
  bucketBytes,
  bucketsOffset,
  cellBytes,
  countsOffset,
  facetCount,
  failingOneOffset,
  histogramBytes,
  passingOffset,
  rowBlock,
  scratch,
} from './scratch';

function countPassing(histograms: usize, buckets: usize): void {
  const end = passingEnd;
  for (let place = scratch + passingOffset; place < end; place += 2) {
    const row = buckets + facetCount * load<u16>(place);
    addOne(histograms + 4 * (load<u8>(row) as usize));
    addOne(histograms + bucketBytes + 4 * (load<u8>(row, 1) as usize));
    addOne(histograms + 2 * bucketBytes + 4 * (load<u8>(row, 2) as usize));
    addOne(histograms + 3 * bucketBytes + 4 * (load<u8>(row, 3) as usize));
    addOne(histograms + 4 * bucketBytes + 4 * (load<u8>(row, 4) as usize));
    addOne(histograms + 5 * bucketBytes + 4 * (load<u8>(row, 5) as usize));
    addOne(histograms + 6 * bucketBytes + 4 * (load<u8>(row, 6) as usize));
    addOne(histograms + 7 * bucketBytes + 4 * (load<u8>(row, 7) as usize));
  }
}

function countFailingOne(histograms: usize, buckets: usize, mask: usize): void {
  const end = failingOneEnd;
  for (let place = scratch + failingOneOffset; place < end; place += 2) {
    const row = load<u16>(place) as usize;
    const facet = ctz(load<u8>(mask + row) as usize);
    const bucket = load<u8>(buckets + facetCount * row + facet) as usize;
    addOne(histograms + facet * bucketBytes + 4 * bucket);
  }
}

/** Adds the counters of buckets to those of their bins; buckets of one bin are neighbours, and go together. */
function foldBuckets(histogram: usize, bins: usize, counts: usize): void {
  let bin = load<u8>(bins) as usize;
  let sum: u32 = 0;
  for (let bucket: usize = 0; bucket < 256; bucket++) {
    const own = load<u8>(bins + bucket) as usize;
    if (own != bin) {
      store<u32>(counts + bin, load<u32>(counts + bin) + sum);
      sum = 0;
      bin = own;
    }
    sum += load<u32>(histogram + 4 * bucket);
  }
  store<u32>(counts + bin, load<u32>(counts + bin) + sum);
}

let total: usize = 0;

export function beginRefresh(): void {
  memory.fill(scratch + bucketsOffset, 0, facetCount * bucketBytes + cellBytes);
  total = 0;
}

/** Marks and counts rows `from` to `to`. */
export function refresh(from: usize, to: usize): void {
  const histograms = scratch + bucketsOffset;
  excludeBeyond(to);
  for (let first = from; first < to; first += rowBlock) {
    const end = min(first + rowBlock, to);
    markFailures(first, end);
    listRows(maskFrom(first), maskFrom(end));
    total += passingCount();
    countPassing(histograms, bucketsFrom(first));
    countFailingOne(histograms, bucketsFrom(first), maskFrom(first));
  }
}

/** Counts by bin what has been counted by bucket; the answer is how many rows fail nothing. */
export function endRefresh(): usize {
  for (let facet: usize = 0; facet < facetCount; facet++) {
    foldBuckets(
      scratch + bucketsOffset + facet * bucketBytes,
      scratch + binsOffset + 256 * facet,
      scratch + countsOffset + facet * histogramBytes,
    );
  }
  return total;
}
