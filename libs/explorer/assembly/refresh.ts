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

/** Marks and counts rows 0 to `size`; the answer is how many fail nothing. */
export function refresh(size: usize): usize {
  const histograms = scratch + bucketsOffset;
  memory.fill(histograms, 0, facetCount * bucketBytes + cellBytes);
  excludeBeyond(size);
  let total: usize = 0;
  for (let first: usize = 0; first < size; first += rowBlock) {
    const end = min(first + rowBlock, size);
    markFailures(first, end);
    listRows(maskFrom(first), maskFrom(end));
    total += passingCount();
    countPassing(histograms, bucketsFrom(first));
    countFailingOne(histograms, bucketsFrom(first), maskFrom(first));
  }
  for (let facet: usize = 0; facet < facetCount; facet++) {
    foldBuckets(
      histograms + facet * bucketBytes,
      scratch + binsOffset + 256 * facet,
      scratch + countsOffset + facet * histogramBytes,
    );
  }
  return total;
}
