import type { FacetField, FieldRange } from '../../contract.ts';
import type { ExplorerRow } from '../../search-port.ts';

export const binOf = (edges: readonly number[], value: number): number => {
  let bin = edges.length - 2;
  while (bin > 0 && value < (edges[bin] ?? 0)) bin--;
  return bin;
};

export const binCounts = (
  rows: readonly ExplorerRow[],
  field: FacetField,
  edges: readonly number[],
): readonly number[] => {
  const counts = edges.slice(1).map(() => 0);
  for (const row of rows) {
    const value = row.figures[field];
    if (value === null) continue;
    const bin = binOf(edges, value);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
};

export const minMax = (rows: readonly ExplorerRow[], field: FacetField): FieldRange => {
  let [min, max]: [number | null, number | null] = [null, null];
  for (const row of rows) {
    const value = row.figures[field];
    if (value === null || value === Infinity) continue;
    if (min === null || value < min) min = value;
    if (max === null || value > max) max = value;
  }
  // Turns -0 into 0.
  return { min: min === 0 ? 0 : min, max: max === 0 ? 0 : max };
};

export const unknownCount = (rows: readonly ExplorerRow[], field: FacetField): number =>
  rows.filter((row) => row.figures[field] === null).length;
