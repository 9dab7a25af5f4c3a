/** Rows are processed in blocks of this many, so that the data of a block stays in the fastest cache. */
export const rowBlock: usize = 2_048;
/**
 * A row has room for this many facets, and its mask a bit for each: 8 or 16. `build-kernel.mjs` compiles the kernel for
 * both. With fewer facets the last buckets of a row are 0 and their ranges are open.
 */
export const facetStride: usize = FACET_STRIDE;
/** True for a mask of a byte per row, false for one of two. */
export const isNarrow: bool = facetStride == 8;
export const maskBytes: usize = facetStride / 8;
/** While a refresh counts, a histogram has a u32 counter for each bucket. */
export const bucketBytes: usize = 4 * 256;
/** A histogram is 64 u32 counters, one for each bin. */
export const histogramBytes: usize = 256;

/** Two lists of rows of a block; each ends in a vector that can reach beyond the last row. */
const listBytes: usize = 2 * rowBlock + 64;

// The layout of the working memory, in bytes from its start. The caller uses the offsets that `kernel.ts` exports.
/** In: u8, the lowest bucket that passes range k at k, the highest at `facetStride` + k. */
export const rangesOffset: usize = 0;
/** For each byte, the positions of its set bits, ascending: 8 u8. */
export const bitPositionsOffset: usize = 64;
export const passingOffset: usize = bitPositionsOffset + 8 * 256;
export const failingOneOffset: usize = passingOffset + listBytes;
/** The histograms of a refresh by bucket. */
export const bucketsOffset: usize = failingOneOffset + listBytes;
/** Out: the histograms of a refresh by bin. */
export const countsOffset: usize = bucketsOffset + facetStride * bucketBytes;
/** In: 256 u8 per facet, for each bucket of facet k its bin, as the offset of a counter in bytes. */
export const binsOffset: usize = countsOffset + facetStride * histogramBytes;
/** The maximum number of codes of the brushed facet. */
const maxCodes: usize = 1_024;
/** In: u16, the interval of each code of the brushed facet. */
export const intervalOfOffset: usize = binsOffset + 256 * facetStride;
/** The maximum number of intervals of a brush. */
const maxIntervals: usize = 768;
/** In and out: the number of passing rows in each interval of a brush, a u32 each. */
export const hitsOffset: usize = intervalOfOffset + 2 * maxCodes;
/** In and out: the intervals of a brush. */
export const intervalsOffset: usize = hitsOffset + 4 * maxIntervals;

export let scratch: usize = 0;
/** The number of facets in use. */
export let facets: usize = 0;
export function setScratch(address: usize, facetCount: usize): void {
  scratch = address;
  facets = facetCount;
}

/** An interval is one histogram per facet, and at least eight. */
export function intervalBytes(): usize {
  return histogramBytes * (isNarrow ? facetStride : facets);
}

export function increment(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}
