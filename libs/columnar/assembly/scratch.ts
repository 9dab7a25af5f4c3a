/** Rows are processed in blocks of this many, so that the data of a block stays in the fastest cache. */
export const rowBlock: usize = 2_048;
export const facetCount: usize = 8;
/** While a refresh counts, a histogram has a u32 counter for each bucket. */
export const bucketBytes: usize = 4 * 256;
/** A histogram is 64 u32 counters, one for each bin; a cell is one histogram per facet. */
export const histogramBytes: usize = 256;
export const cellBytes: usize = facetCount * histogramBytes;

/** Two lists of rows of a block; each ends in a vector that can reach beyond the last row. */
const listBytes: usize = 2 * rowBlock + 64;

// The layout of the working memory, in bytes from its start. The caller uses the offsets that `kernel.ts` exports.
/** In: 16 u8, the lowest bucket that passes range k at k, the highest at 8 + k. */
export const rangesOffset: usize = 0;
/** For each byte, the positions of its set bits, ascending: 8 u8. */
export const bitPositionsOffset: usize = 64;
export const passingOffset: usize = bitPositionsOffset + 8 * 256;
export const failingOneOffset: usize = passingOffset + listBytes;
/** The histograms of a refresh by bucket. */
export const bucketsOffset: usize = failingOneOffset + listBytes;
/** Out: the histograms of a refresh by bin, a cell. */
export const countsOffset: usize = bucketsOffset + facetCount * bucketBytes;
/** In: 8 x 256 u8, for each bucket of facet k its bin, as the offset of a counter in bytes. */
export const binsOffset: usize = countsOffset + cellBytes;
/** The maximum number of codes of the brushed facet. */
const maxCodes: usize = 1_024;
/** In: u16, the cell of each code of the brushed facet. */
export const cellOfOffset: usize = binsOffset + 256 * facetCount;
/** The maximum number of cells of a brush. */
const maxCells: usize = 768;
/** In and out: the number of passing rows in each cell of a brush, a u32 each. */
export const hitsOffset: usize = cellOfOffset + 2 * maxCodes;
/** In and out: the cells of a brush. */
export const cellsOffset: usize = hitsOffset + 4 * maxCells;

export let scratch: usize = 0;
export function setScratch(address: usize): void {
  scratch = address;
}

export function increment(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}
