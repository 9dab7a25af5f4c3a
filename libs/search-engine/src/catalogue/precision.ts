import { facets, type FacetField } from './facets.ts';

/** Beyond this number of units integers are no longer exact. */
const maxUnits = Number.MAX_SAFE_INTEGER - 1;

/**
 * Rounds a figure to its precision. Infinity stays; a figure that is too large or not a number becomes null.
 *
 * @example
 * roundToPrecision('sharpeRatio', 1.23456) // 1.235
 */
export const roundToPrecision = (field: FacetField, value: number | null): number | null => {
  if (value === null || value === Infinity) return value;
  const units = Math.round(value * facets[field].unitsPerOne);
  return Math.abs(units) <= maxUnits ? units / facets[field].unitsPerOne + 0 : null;
};
