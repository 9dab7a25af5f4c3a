/** Rows are looked at in blocks of this many, so that what belongs to a block stays in the fastest cache. */
export const rowBlock: usize = 4_096;
export const facetCount: usize = 8;
/** A histogram is 64 counters of u32, a cell one histogram per facet. */
export const histogramBytes: usize = 256;
export const cellBytes: usize = facetCount * histogramBytes;

/** Two lists of rows of a block end in a vector that may reach beyond the last of them. */
const listBytes: usize = 2 * rowBlock + 64;

// Where things stand in the working memory, in bytes from its beginning. The caller knows the exported ones.
/** In: 16 u16, the lowest and the highest code that pass range k. */
export const rangesOffset: usize = 0;
/** In: 8 u32, the address of the bin of row 0 in facet k, in the matrix that the facet is counted by. */
export const binsOffset: usize = 64;
/** For each byte, the places of the bits that are set in it, in order: 8 u8. */
export const placesOffset: usize = 128;
export const passingOffset: usize = placesOffset + 8 * 256;
export const failingOneOffset: usize = passingOffset + listBytes;
/** Out: the histograms of a refresh, a cell; then three more in which it counts as well. */
export const countsOffset: usize = failingOneOffset + listBytes;
/** In: 65,536 u16, the cell of each code of the facet that is brushed. */
export const cellOfOffset: usize = countsOffset + 4 * cellBytes;
/** As many cells as a brush may have. */
export const mostCells: usize = 768;
/** In and out: the rows of each cell of a brush that pass, a u32 each. */
export const hitsOffset: usize = cellOfOffset + 2 * 65_536;
/** In and out: the cells of a brush. */
export const cellsOffset: usize = hitsOffset + 4 * mostCells;
/** What all this takes. */
export const scratchBytes: usize = cellsOffset + mostCells * cellBytes;

export let scratch: usize = 0;
export function placeScratch(address: usize): void {
  scratch = address;
}
