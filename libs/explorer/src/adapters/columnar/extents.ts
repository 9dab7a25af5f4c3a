import { facetFields, type FacetField } from '../../contract.ts';
import { facetRecord } from '../../facets.ts';
import { firstAtLeast, type Permutation } from './permutation.ts';
import type { Extent, Snapshot } from './snapshot.ts';
import { byteAt, floatAt, wordAt } from './typed-arrays.ts';

const none: Extent = { min: null, max: null };

/** Whether a row counts: its mask has no bit but those of `allowed`. */
type Wanted = Readonly<{ mask: Uint8Array; allowed: number }>;

const firstWanted = (order: Permutation, from: number, to: number, { mask, allowed }: Wanted): number => {
  const refused = ~allowed;
  for (let place = from; place < to; place++) {
    if ((byteAt(mask, wordAt(order, place)) & refused) === 0) return place;
  }
  return -1;
};

const lastWanted = (order: Permutation, from: number, to: number, { mask, allowed }: Wanted): number => {
  const refused = ~allowed;
  for (let place = to - 1; place >= from; place--) {
    if ((byteAt(mask, wordAt(order, place)) & refused) === 0) return place;
  }
  return -1;
};

const extentBetween = (
  snapshot: Snapshot,
  field: FacetField,
  wanted: Wanted,
  from: number,
  to: number,
): Extent => {
  const order = snapshot.orders[field];
  const first = firstWanted(order, from, to, wanted);
  if (first < 0) return none;
  const values = snapshot.columns.numbers[field];
  const last = lastWanted(order, first, to, wanted);
  return { min: floatAt(values, wordAt(order, first)), max: floatAt(values, wordAt(order, last)) };
};

const finiteLength = (snapshot: Snapshot, field: FacetField): number =>
  firstAtLeast(snapshot.orders[field], snapshot.columns.numbers[field], Infinity);

/** Smallest and largest finite value of the whole catalogue. */
export const catalogueExtent = (snapshot: Snapshot, field: FacetField): Extent => {
  const made = snapshot.derived.extents.get(field);
  if (made) return made;
  const wanted = { mask: snapshot.alive, allowed: 0 };
  const extent = extentBetween(snapshot, field, wanted, 0, finiteLength(snapshot, field));
  snapshot.derived.extents.set(field, extent);
  return extent;
};

/**
 * Smallest and largest finite value of the rows in a histogram. The counts say between which bins they
 * lie, so that the search begins there and not at the ends of the order.
 */
export const countedExtent = (
  snapshot: Snapshot,
  field: FacetField,
  wanted: Wanted,
  edges: readonly number[],
  counts: readonly number[],
): Extent => {
  const firstBin = counts.findIndex((count) => count > 0);
  if (firstBin < 0) return none;
  const order = snapshot.orders[field];
  const values = snapshot.columns.numbers[field];
  const lastBin = counts.findLastIndex((count) => count > 0);
  const from = firstBin === 0 ? 0 : firstAtLeast(order, values, edges[firstBin] ?? 0);
  const to = lastBin === counts.length - 1 ? Infinity : firstAtLeast(order, values, edges[lastBin + 1] ?? 0);
  return extentBetween(snapshot, field, wanted, from, Math.min(to, finiteLength(snapshot, field)));
};

const scanned = (values: Float64Array, slots: readonly number[]): Extent => {
  let [min, max] = [Infinity, -Infinity];
  for (const slot of slots) {
    const value = floatAt(values, slot);
    if (value < min) min = value;
    if (value > max && value < Infinity) max = value;
  }
  return min === Infinity ? none : { min, max };
};

/** Above one row in this many an end of the order is near; below, looking at each row is quicker. */
const sparse = 64;

const fewCandidates = (base: Uint8Array, size: number): readonly number[] | null => {
  const slots: number[] = [];
  const limit = size / sparse;
  for (let slot = 0; slot < size; slot++) {
    if (byteAt(base, slot) !== 0) continue;
    if (slots.length >= limit) return null;
    slots.push(slot);
  }
  return slots;
};

/** Extents of all fields over the rows that pass everything but the ranges. */
export const candidateExtents = (
  snapshot: Snapshot,
  base: Uint8Array,
): Readonly<Record<(typeof facetFields)[number], Extent>> => {
  if (base === snapshot.alive) return facetRecord((field) => catalogueExtent(snapshot, field));
  const few = fewCandidates(base, snapshot.size);
  if (few) return facetRecord((field) => scanned(snapshot.columns.numbers[field], few));
  const wanted = { mask: base, allowed: 0 };
  return facetRecord((field) => extentBetween(snapshot, field, wanted, 0, finiteLength(snapshot, field)));
};
