/** The mask of a row has a bit for each facet, and at most 16 bits. */
export const maxFacets = 16;

/**
 * Room for facets in a row: with 8 a row has 8 bytes of buckets and a mask of one byte, with 16 it has 16 bytes and a mask
 * of two. The kernel is compiled for both.
 */
export type FacetStride = 8 | 16;

/** @throws RangeError when the kernel cannot count this many facets. */
export const facetStrideFor = (facets: number): FacetStride => {
  if (!Number.isInteger(facets) || facets < 1 || facets > maxFacets)
    throw new RangeError(
      `The search engine takes 1 to ${maxFacets} facets, but the catalogue has ${facets}.`,
    );
  return facets <= 8 ? 8 : 16;
};
