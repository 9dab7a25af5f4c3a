import { brushStops } from '../../../catalogue/brush-stops.ts';
import { scales, type FacetField, type Scale } from '../../../contract.ts';
import type { FacetEdges } from '../../../catalogue/edges.ts';
import { mostCodes } from '../kernel/kernel.ts';
import type { Permutation } from './permutation.ts';
import { floatAt, sharedFloats, wordAt } from './typed-arrays.ts';

/**
 * A value as its place among the stops of its slider, on all three scales. `stops` are ascending: 0 is unknown, 1 is
 * below stop 0, 2i + 2 is exactly stop i, 2i + 3 is between stop i and its neighbour.
 */
export type Stops = Float64Array;

const unknownCode = 0;
const belowFirst = 1;

export const stopsOf = (field: FacetField, scale: Scale, edges: FacetEdges): readonly number[] =>
  brushStops(field, scale, edges[field][scale]);

/** The stops of all three scales. */
export const allStops = (field: FacetField, edges: FacetEdges): Stops => {
  const stops = new Set(scales.flatMap((scale) => stopsOf(field, scale, edges)));
  if (2 * stops.size + 2 > mostCodes) throw new RangeError(`${field} has ${stops.size} stops: too many.`);
  const sorted = sharedFloats(stops.size);
  sorted.set(Float64Array.from(stops).sort());
  return sorted;
};

const codeAtStop = (stops: Stops, stop: number, value: number): number =>
  stop < stops.length && floatAt(stops, stop) === value ? 2 * stop + 2 : 2 * stop + 1;

/** First stop at or above the value. */
const firstStop = (stops: Stops, value: number): number => {
  let [low, high] = [0, stops.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(stops, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const codeOf = (stops: Stops, value: number): number =>
  Number.isNaN(value) ? unknownCode : codeAtStop(stops, firstStop(stops, value), value);

/** The code of every slot of an ascending order. */
export const writeCodes = (
  stops: Stops,
  order: Permutation,
  values: Float64Array,
  codes: Uint16Array,
): void => {
  let stop = 0;
  for (let place = 0; place < order.length; place++) {
    const slot = wordAt(order, place);
    const value = floatAt(values, slot);
    while (stop < stops.length && floatAt(stops, stop) < value) stop++;
    codes[slot] = Number.isNaN(value) ? unknownCode : codeAtStop(stops, stop, value);
  }
};

/** The cell of each code on an axis that some of the stops divide, as `BrushAnswer` counts them. */
export const cellsByCode = (stops: Stops, own: readonly number[]): Uint16Array => {
  const table = new Uint16Array(mostCodes);
  table[unknownCode] = 2 * own.length + 1;
  let passed = 0;
  table[belowFirst] = 0;
  for (let stop = 0; stop < stops.length; stop++) {
    const isOwn = passed < own.length && own[passed] === floatAt(stops, stop);
    table[2 * stop + 2] = 2 * passed + (isOwn ? 1 : 0);
    if (isOwn) passed++;
    table[2 * stop + 3] = 2 * passed;
  }
  return table;
};
