import { bucketsFrom, excludeBeyond, failedFacet, markFailures, maskFrom } from './columns';
import { failingOneEnd, listRows, passingCount, passingEnd } from './lists';
import {
  binsOffset,
  bucketBytes,
  bucketsOffset,
  countsOffset,
  facetStride,
  facets,
  failingOneOffset,
  histogramBytes,
  increment,
  isNarrow,
  passingOffset,
  rowBlock,
  scratch,
} from './scratch';

function countPassing(histograms: usize, buckets: usize): void {
  const end = passingEnd;
  const used = facets;
  for (let address = scratch + passingOffset; address < end; address += 2) {
    const row = buckets + facetStride * load<u16>(address);
    increment(histograms + 4 * (load<u8>(row) as usize));
    increment(histograms + bucketBytes + 4 * (load<u8>(row, 1) as usize));
    increment(histograms + 2 * bucketBytes + 4 * (load<u8>(row, 2) as usize));
    increment(histograms + 3 * bucketBytes + 4 * (load<u8>(row, 3) as usize));
    increment(histograms + 4 * bucketBytes + 4 * (load<u8>(row, 4) as usize));
    increment(histograms + 5 * bucketBytes + 4 * (load<u8>(row, 5) as usize));
    increment(histograms + 6 * bucketBytes + 4 * (load<u8>(row, 6) as usize));
    increment(histograms + 7 * bucketBytes + 4 * (load<u8>(row, 7) as usize));
    if (isNarrow) continue;
    for (let facet: usize = 8; facet < used; facet++)
      increment(histograms + facet * bucketBytes + 4 * (load<u8>(row + facet) as usize));
  }
}

function countFailingOne(histograms: usize, buckets: usize, mask: usize): void {
  const end = failingOneEnd;
  for (let address = scratch + failingOneOffset; address < end; address += 2) {
    const row = load<u16>(address) as usize;
    const facet = failedFacet(mask, row);
    const bucket = load<u8>(buckets + facetStride * row + facet) as usize;
    increment(histograms + facet * bucketBytes + 4 * bucket);
  }
}

/** Adds the counters of buckets to those of their bins; the buckets of a bin are neighbours and are summed first. */
function foldBuckets(histogram: usize, bins: usize, counts: usize): void {
  let bin = load<u8>(bins) as usize;
  let sum: u32 = 0;
  for (let bucket: usize = 0; bucket < 256; bucket++) {
    const binOfBucket = load<u8>(bins + bucket) as usize;
    if (binOfBucket != bin) {
      store<u32>(counts + bin, load<u32>(counts + bin) + sum);
      sum = 0;
      bin = binOfBucket;
    }
    sum += load<u32>(histogram + 4 * bucket);
  }
  store<u32>(counts + bin, load<u32>(counts + bin) + sum);
}

let total: usize = 0;

export function beginRefresh(): void {
  memory.fill(scratch + bucketsOffset, 0, facetStride * (bucketBytes + histogramBytes));
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

/** Adds up the counts by bin. Returns the number of rows that fail nothing. */
export function endRefresh(): usize {
  for (let facet: usize = 0; facet < facets; facet++) {
    foldBuckets(
      scratch + bucketsOffset + facet * bucketBytes,
      scratch + binsOffset + 256 * facet,
      scratch + countsOffset + facet * histogramBytes,
    );
  }
  return total;
}
