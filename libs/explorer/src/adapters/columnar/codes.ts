import { brushStops } from '../../brush-stops.ts';
import { defaultScale, scales, type FacetField, type Scale } from '../../contract.ts';
import type { FacetEdges } from '../../edges.ts';
import { facetRecord } from '../../facets.ts';
import { firstAtLeast, knownLength, type Permutation } from './permutation.ts';
import { floatAt, sharedFloats, wordAt } from './typed-arrays.ts';

/**
 * A value as 16 bits that rise with it. `cuts` are some of the values, ascending: 0 is unknown, 1 is below cut 0,
 * 2i + 2 is exactly cut i, 2i + 3 is between cut i and its neighbour. So a bound that is a cut is answered by
 * codes alone, and one between two cuts leaves open only the few rows of a single code.
 */
export type Cuts = Float64Array;

/** How many of the cuts are there to divide the rows evenly. */
const evenCuts = 16_000;
export const unknownCode = 0;
const belowFirst = 1;

const scalesOf = facetRecord((field): readonly Scale[] => {
  const first = defaultScale[field];
  return [first, ...scales.filter((scale) => scale !== first)];
});

/** Of every field the scale that matrix 0 is in first, then the two others. */
export const matrixScales = (field: FacetField): readonly Scale[] => scalesOf[field];

export const matrixOf = (field: FacetField, scale: Scale): number => matrixScales(field).indexOf(scale);

export const stopsOf = (field: FacetField, scale: Scale, edges: FacetEdges): readonly number[] =>
  brushStops(field, scale, edges[field][scale]);

/** Every edge and every stop of the field, and values at even distances in the order of the rows. */
export const drawCuts = (
  field: FacetField,
  edges: FacetEdges,
  order: Permutation,
  values: Float64Array,
): Cuts => {
  const known = knownLength(order, values);
  const finite = firstAtLeast(order, values, Infinity);
  const cuts = new Set<number>(finite < known ? [Infinity] : []);
  for (const scale of scales) {
    for (const edge of edges[field][scale]) cuts.add(edge);
    for (const stop of stopsOf(field, scale, edges)) cuts.add(stop);
  }
  const step = Math.max(1, (finite - 1) / (evenCuts - 1));
  for (let at = 0; at < finite; at += step) cuts.add(floatAt(values, wordAt(order, Math.round(at))));
  const sorted = sharedFloats(cuts.size);
  sorted.set(Float64Array.from(cuts).sort());
  return sorted;
};

/** First cut at or above the value. */
export const firstCut = (cuts: Cuts, value: number): number => {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(cuts, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

const codeAtCut = (cuts: Cuts, cut: number, value: number): number =>
  cut < cuts.length && floatAt(cuts, cut) === value ? 2 * cut + 2 : 2 * cut + 1;

export const codeOf = (cuts: Cuts, value: number): number =>
  Number.isNaN(value) ? unknownCode : codeAtCut(cuts, firstCut(cuts, value), value);

/** True when all rows of this code have the same value. */
export const isExact = (code: number): boolean => code % 2 === 0;

/** The code of every slot of an ascending order. */
export const writeCodes = (
  cuts: Cuts,
  order: Permutation,
  values: Float64Array,
  codes: Uint16Array,
): void => {
  let cut = 0;
  for (let place = 0; place < order.length; place++) {
    const slot = wordAt(order, place);
    const value = floatAt(values, slot);
    while (cut < cuts.length && floatAt(cuts, cut) < value) cut++;
    codes[slot] = Number.isNaN(value) ? unknownCode : codeAtCut(cuts, cut, value);
  }
};

/** For every code that occurs what holds for its values: all codes between two marks are alike. */
const byCode = <T extends Uint8Array | Uint16Array>(
  table: T,
  cuts: Cuts,
  numberOf: (passed: number, isOn: boolean) => number,
  marks: readonly number[],
): T => {
  let passed = 0;
  table[belowFirst] = numberOf(0, false);
  for (let cut = 0; cut < cuts.length; cut++) {
    const value = floatAt(cuts, cut);
    const isOn = passed < marks.length && marks[passed] === value;
    table[2 * cut + 2] = numberOf(passed, isOn);
    if (isOn) passed++;
    table[2 * cut + 3] = numberOf(passed, false);
  }
  return table;
};

/** The bin of each code, the one after the last is "unknown"; the first and the last bin are open. */
export const binsByCode = (cuts: Cuts, edges: readonly number[]): Uint8Array => {
  const last = edges.length - 2;
  const table = new Uint8Array(2 * cuts.length + 2);
  const binAfter = (passed: number): number => Math.min(last, Math.max(0, passed - 1));
  byCode(table, cuts, (passed, isOn) => binAfter(isOn ? passed + 1 : passed), edges);
  table[unknownCode] = last + 1;
  return table;
};

const codesInAll = 65_536;

/** The cell of each code on an axis that these stops divide, as `BrushAnswer` counts them. */
export const cellsByCode = (cuts: Cuts, stops: readonly number[]): Uint16Array => {
  const table = new Uint16Array(codesInAll);
  byCode(table, cuts, (passed, isOn) => 2 * passed + (isOn ? 1 : 0), stops);
  table[unknownCode] = 2 * stops.length + 1;
  return table;
};
