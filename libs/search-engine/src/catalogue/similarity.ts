import { binCount, type FacetField, facetRecord } from '../contract.ts';
import type { FacetEdges } from './edges.ts';
import type { ExplorerRow } from '../search-port.ts';

/** Places on every field's axis, so that 20 bins weigh as much as 40. */
const places = 40;
/** A power of two above `places`: sums of weights are then exact, in whatever order they are added. */
export const similarityUnit = 64;

/**
 * Where a strategy stands in its catalogue: the quantile bin of each figure, in places of 40; null is unknown.
 * Two strategies are the more alike, the larger the sum of 64 − |a − b| over the figures that both have known;
 * equal sums stand in byte order of their ids, and with no figure in common they are not alike at all.
 */
export const positionsOf = (
  figures: ExplorerRow['figures'],
  edges: FacetEdges,
): Readonly<Record<FacetField, number | null>> =>
  facetRecord((field) => {
    const value = figures[field];
    return value === null ? null : quantileBin(edges[field].quantile, value) * positionsPerBin(field);
  });

export const positionsPerBin = (field: FacetField): number => places / binCount[field];

const quantileBin = (edges: readonly number[], value: number): number => {
  let bin = 0;
  while (bin < edges.length - 2 && value >= (edges[bin + 1] ?? Infinity)) bin++;
  return bin;
};
