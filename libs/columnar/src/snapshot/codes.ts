import { brushStops, type FacetEdges } from '@tapedeck/search-engine/catalogue';
import { scales, type FacetField, type Scale } from '@tapedeck/search-engine/contract';
import { maxCodes } from '../kernel/layout.ts';
import type { Permutation } from './permutation.ts';
import { floatAt, partitionPoint, sharedFloats, wordAt } from './typed-arrays.ts';

/**
 * The stops of a field's slider on all three scales, ascending. A value has a code by its position among them: 0 is
 * unknown, 1 is below stop 0, 2i + 2 is exactly stop i, 2i + 3 is between stop i and the next one.
 */
export type Stops = Float64Array;

const unknownCode = 0;
const belowFirst = 1;

export const stopsOf = (field: FacetField, scale: Scale, edges: FacetEdges): readonly number[] =>
  brushStops(field, scale, edges[field][scale]);

/** The stops of all three scales. */
export const allStops = (field: FacetField, edges: FacetEdges): Stops => {
  const stops = new Set(scales.flatMap((scale) => stopsOf(field, scale, edges)));
  if (2 * stops.size + 2 > maxCodes) throw new RangeError(`${field} has ${stops.size} stops: too many.`);
  const sorted = sharedFloats(stops.size);
  sorted.set(Float64Array.from(stops).sort());
  return sorted;
};

const codeAtStop = (stops: Stops, stop: number, value: number): number =>
  stop < stops.length && floatAt(stops, stop) === value ? 2 * stop + 2 : 2 * stop + 1;

export const codeOf = (stops: Stops, value: number): number => {
  if (Number.isNaN(value)) return unknownCode;
  const stop = partitionPoint(0, stops.length, (index) => floatAt(stops, index) < value);
  return codeAtStop(stops, stop, value);
};

/** Writes the code of every slot of an ascending order. */
export const writeCodes = (
  stops: Stops,
  order: Permutation,
  values: Float64Array,
  codes: Uint16Array,
): void => {
  let stop = 0;
  for (let position = 0; position < order.length; position++) {
    const slot = wordAt(order, position);
    const value = floatAt(values, slot);
    while (stop < stops.length && floatAt(stops, stop) < value) stop++;
    codes[slot] = Number.isNaN(value) ? unknownCode : codeAtStop(stops, stop, value);
  }
};

/** The cell of each code on an axis whose stops are some of these, in the numbering of `BrushAnswer`. */
export const cellsByCode = (stops: Stops, axisStops: readonly number[]): Uint16Array => {
  const table = new Uint16Array(maxCodes);
  table[unknownCode] = 2 * axisStops.length + 1;
  let passed = 0;
  table[belowFirst] = 0;
  for (let stop = 0; stop < stops.length; stop++) {
    const isOnAxis = passed < axisStops.length && axisStops[passed] === floatAt(stops, stop);
    table[2 * stop + 2] = 2 * passed + (isOnAxis ? 1 : 0);
    if (isOnAxis) passed++;
    table[2 * stop + 3] = 2 * passed;
  }
  return table;
};
