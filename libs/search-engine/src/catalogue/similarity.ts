import { facetRecord, facets, type FacetField, type Figures } from './facets.ts';
import { binOf, type FacetEdges } from './edges.ts';

/** Every field's axis has this many positions, so that 20 bins have the same weight as 40. */
const axisPositions = 40;
/** A power of two above `axisPositions`: sums of weights are then exact, in whatever order they are added. */
export const similarityUnit = 64;

/**
 * The position of a strategy in its catalogue: the quantile bin of each figure, as one of 40 positions; null is unknown.
 * The similarity of two strategies is the sum of 64 − |a − b| over the figures that both have known; equal sums are in
 * byte order of their ids. Strategies without a common known figure are not similar.
 */
export const positionsOf = (
  figures: Figures,
  edges: FacetEdges,
): Readonly<Record<FacetField, number | null>> =>
  facetRecord((field) => {
    const value = figures[field];
    return value === null ? null : binOf(edges[field].quantile, value) * positionsPerBin(field);
  });

export const positionsPerBin = (field: FacetField): number => axisPositions / facets[field].bins;
