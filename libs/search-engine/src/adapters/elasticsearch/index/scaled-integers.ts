import type { FacetField } from '../../../contract.ts';
import { grain } from '../../../catalogue/precision.ts';

/** Stands for an infinite figure: above every number of grains, and still exact. */
export const infinite = Number.MAX_SAFE_INTEGER;
const most = Number.MAX_SAFE_INTEGER - 1;
/** Rounding moves a figure by at most this many grains, at the far end of the exact integers. */
const nearby = [-3, -2, -1, 0, 1, 2, 3];

/**
 * A figure as the whole number that stands in the index. Where several grains are the same float the smallest
 * is taken, so that the integers are in the order of the floats.
 *
 * @example
 * toGrains('sharpeRatio', 1.235) // 1235
 */
export const toGrains = (field: FacetField, value: number): number => {
  if (value === Infinity) return infinite;
  const rounded = Math.round(value * grain[field]);
  const same = nearby.find((step) => (rounded + step) / grain[field] === value) ?? 0;
  return rounded + same + 0;
};

/** The figure back from the index. */
export const fromGrains = (field: FacetField, grains: number): number =>
  grains === infinite ? Infinity : grains / grain[field] + 0;

/** The smallest whole number whose figure is at least the bound: `value >= bound` is `grains >= this`. */
export const firstAtLeast = (field: FacetField, bound: number): number => {
  if (bound > most / grain[field]) return infinite;
  if (bound <= -most / grain[field]) return -most;
  let grains = Math.ceil(bound * grain[field]);
  while ((grains - 1) / grain[field] >= bound) grains--;
  while (grains / grain[field] < bound) grains++;
  return grains + 0;
};

/** The largest whole number whose figure is at most the bound, infinity left out unless the bound is. */
export const lastAtMost = (field: FacetField, bound: number): number => {
  if (bound === Infinity) return infinite;
  if (bound >= most / grain[field]) return most;
  if (bound < -most / grain[field]) return -infinite;
  let grains = Math.floor(bound * grain[field]);
  while ((grains + 1) / grain[field] <= bound) grains++;
  while (grains / grain[field] > bound) grains--;
  return grains + 0;
};
