import type { FacetField } from '../contract.ts';

/**
 * The number of precision units per one of each figure: whole numbers, and thousandths for the performance figures. All
 * engines then compare the same numbers, whether they store floats or scaled integers.
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
  const units = Math.round(value * unitsPerOne[field]);
  return Math.abs(units) <= maxUnits ? units / unitsPerOne[field] + 0 : null;
};
