import type { FacetField } from '../contract.ts';

/**
 * Parts of one in which each figure is kept: whole numbers, and thousandths for the performance figures. All
 * engines then compare the same numbers, whether they keep them as floats or as scaled integers.
 */
export const unitsPerOne: Readonly<Record<FacetField, number>> = {
  totalPandlPercent: 1_000,
  maxDrawdownPercent: 1_000,
  profitFactor: 1_000,
  sharpeRatio: 1_000,
  likes: 1,
  views: 1,
  comments: 1,
  codeLines: 1,
};

/** Beyond this many grains integers are no longer exact. */
const mostGrains = Number.MAX_SAFE_INTEGER - 1;

/**
 * A figure in its grain. Infinity stays; what has no number, or too large a one, is unknown.
 *
 * @example
 * roundToPrecision('sharpeRatio', 1.23456) // 1.235
 */
export const roundToPrecision = (field: FacetField, value: number | null): number | null => {
  if (value === null || value === Infinity) return value;
  const grains = Math.round(value * unitsPerOne[field]);
  return Math.abs(grains) <= mostGrains ? grains / unitsPerOne[field] + 0 : null;
};
