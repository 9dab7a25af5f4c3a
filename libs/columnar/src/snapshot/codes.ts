import { snapPointsOf, type FacetEdges } from '@tapedeck/search-engine/catalogue';
import { scales, type FacetField, type Scale } from '@tapedeck/search-engine/contract';
import { maxCodes } from '../kernel/layout.ts';
import type { Permutation } from './permutation.ts';
import { floatAt, partitionPoint, sharedFloats, wordAt } from './typed-arrays.ts';

/**
 * The snap points of a field's slider on all three scales, ascending. A value has a code by its position among them: 0 is
 * unknown, 1 is below snap point 0, 2i + 2 is exactly snap point i, 2i + 3 is between snap point i and the next one.
 */
export type SnapPoints = Float64Array;

const unknownCode = 0;
const belowFirst = 1;

export const snapPointsOnScale = (field: FacetField, scale: Scale, edges: FacetEdges): readonly number[] =>
  snapPointsOf(field, scale, edges[field][scale]);

/** The snap points of all three scales. */
export const allSnapPoints = (field: FacetField, edges: FacetEdges): SnapPoints => {
  const snapPoints = new Set(scales.flatMap((scale) => snapPointsOnScale(field, scale, edges)));
  if (2 * snapPoints.size + 2 > maxCodes)
    throw new RangeError(`${field} has ${snapPoints.size} snap points: too many.`);
  const sorted = sharedFloats(snapPoints.size);
  sorted.set(Float64Array.from(snapPoints).sort());
  return sorted;
};

const codeAtSnapPoint = (snapPoints: SnapPoints, snapPoint: number, value: number): number =>
  snapPoint < snapPoints.length && floatAt(snapPoints, snapPoint) === value
    ? 2 * snapPoint + 2
    : 2 * snapPoint + 1;

export const codeOf = (snapPoints: SnapPoints, value: number): number => {
  if (Number.isNaN(value)) return unknownCode;
  const snapPoint = partitionPoint(0, snapPoints.length, (index) => floatAt(snapPoints, index) < value);
  return codeAtSnapPoint(snapPoints, snapPoint, value);
};

/** Writes the code of every slot of an ascending order. */
export const writeCodes = (
  snapPoints: SnapPoints,
  order: Permutation,
  values: Float64Array,
  codes: Uint16Array,
): void => {
  let snapPoint = 0;
  for (let position = 0; position < order.length; position++) {
    const slot = wordAt(order, position);
    const value = floatAt(values, slot);
    while (snapPoint < snapPoints.length && floatAt(snapPoints, snapPoint) < value) snapPoint++;
    codes[slot] = Number.isNaN(value) ? unknownCode : codeAtSnapPoint(snapPoints, snapPoint, value);
  }
};

/** The interval of each code on an axis whose snap points are some of these, in the numbering of `BrushAnswer`. */
export const intervalsByCode = (snapPoints: SnapPoints, axisSnapPoints: readonly number[]): Uint16Array => {
  const table = new Uint16Array(maxCodes);
  table[unknownCode] = 2 * axisSnapPoints.length + 1;
  let passed = 0;
  table[belowFirst] = 0;
  for (let snapPoint = 0; snapPoint < snapPoints.length; snapPoint++) {
    const isOnAxis =
      passed < axisSnapPoints.length && axisSnapPoints[passed] === floatAt(snapPoints, snapPoint);
    table[2 * snapPoint + 2] = 2 * passed + (isOnAxis ? 1 : 0);
    if (isOnAxis) passed++;
    table[2 * snapPoint + 3] = 2 * passed;
  }
  return table;
};
