/** Rows are looked at in blocks of this many, so that what belongs to a block stays in the fastest cache. */
export const rowBlock: usize = 2_048;
export const facetCount: usize = 8;
/** While a refresh counts, a histogram is a counter of u32 for each bucket. */
export const bucketBytes: usize = 4 * 256;
/** A histogram is 64 counters of u32, one for each bin, a cell one histogram per facet. */
export const histogramBytes: usize = 256;
export const cellBytes: usize = facetCount * histogramBytes;

/** Two lists of rows of a block end in a vector that may reach beyond the last of them. */
const listBytes: usize = 2 * rowBlock + 64;

// Where things stand in the working memory, in bytes from its beginning. The caller knows the exported ones.
/** In: 16 u8, the lowest bucket that passes range k at k, the highest at 8 + k. */
export const rangesOffset: usize = 0;
/** For each byte, the places of the bits that are set in it, in order: 8 u8. */
export const placesOffset: usize = 64;
export const passingOffset: usize = placesOffset + 8 * 256;
export const failingOneOffset: usize = passingOffset + listBytes;
/** The histograms of a refresh by bucket. */
export const bucketsOffset: usize = failingOneOffset + listBytes;
/** Out: the histograms of a refresh by bin, a cell. */
export const countsOffset: usize = bucketsOffset + facetCount * bucketBytes;
/** In: 8 x 256 u8, for each bucket of facet k its bin, as the offset of a counter in bytes. */
export const binsOffset: usize = countsOffset + cellBytes;
/** As many codes as the facet that is brushed may have. */
export const mostCodes: usize = 1_024;
/** In: u16, the cell of each code of the facet that is brushed. */
export const cellOfOffset: usize = binsOffset + 256 * facetCount;
/** As many cells as a brush may have. */
export const mostCells: usize = 768;
/** In and out: the rows of each cell of a brush that pass, a u32 each. */
export const hitsOffset: usize = cellOfOffset + 2 * mostCodes;
/** In and out: the cells of a brush. */
export const cellsOffset: usize = hitsOffset + 4 * mostCells;
/** What all this takes. */
export const scratchBytes: usize = cellsOffset + mostCells * cellBytes;

export let scratch: usize = 0;
export function placeScratch(address: usize): void {
  scratch = address;
}
