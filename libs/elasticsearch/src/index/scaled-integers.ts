import { facetRecord, facets, type FacetField } from '@tapedeck/search-engine/contract';

// The index stores a figure as an integer: the figure times the scale of its field.

const unitsPerOne = facetRecord((field) => facets[field].unitsPerOne);

/** Stands for an infinite figure: above every other scaled integer, and still exact. */
export const scaledInfinity = Number.MAX_SAFE_INTEGER;
const maxScaled = Number.MAX_SAFE_INTEGER - 1;
/** Rounding shifts a figure by at most this much, near the end of the exact integers. */
const roundingSteps = [-3, -2, -1, 0, 1, 2, 3];

/**
 * The integer that stores a figure. Where several integers give the same float it is the smallest of them, so that
 * integers and floats sort alike.
 *
 * @example
 * toScaled('sharpeRatio', 1.235) // 1235
 */
export const toScaled = (field: FacetField, figure: number): number => {
  if (figure === Infinity) return scaledInfinity;
  const rounded = Math.round(figure * unitsPerOne[field]);
  const step = roundingSteps.find((one) => (rounded + one) / unitsPerOne[field] === figure) ?? 0;
  return rounded + step + 0;
};

export const fromScaled = (field: FacetField, scaled: number): number =>
  scaled === scaledInfinity ? Infinity : scaled / unitsPerOne[field] + 0;

/** The smallest integer whose figure is at least the bound: `figure >= bound` is the same as `scaled >= this`. */
export const firstAtLeast = (field: FacetField, bound: number): number => {
  if (bound > maxScaled / unitsPerOne[field]) return scaledInfinity;
  if (bound <= -maxScaled / unitsPerOne[field]) return -maxScaled;
  let scaled = Math.ceil(bound * unitsPerOne[field]);
  while ((scaled - 1) / unitsPerOne[field] >= bound) scaled--;
  while (scaled / unitsPerOne[field] < bound) scaled++;
  return scaled + 0;
};

/** The largest integer whose figure is at most the bound; infinity only when the bound is infinite. */
export const lastAtMost = (field: FacetField, bound: number): number => {
  if (bound === Infinity) return scaledInfinity;
  if (bound >= maxScaled / unitsPerOne[field]) return maxScaled;
  if (bound < -maxScaled / unitsPerOne[field]) return -scaledInfinity;
  let scaled = Math.floor(bound * unitsPerOne[field]);
  while ((scaled + 1) / unitsPerOne[field] <= bound) scaled++;
  while (scaled / unitsPerOne[field] > bound) scaled--;
  return scaled + 0;
};
