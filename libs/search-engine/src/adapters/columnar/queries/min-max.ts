import { facetFields, type FacetField, facetRecord } from '../../../contract.ts';
import { firstAtLeast, type Permutation } from '../snapshot/permutation.ts';
import { bucketOfBound, placeAtLeast } from './places.ts';
import type { Candidates, Reading } from './snapshot-view.ts';
import type { Extent, Snapshot } from '../snapshot/snapshot.ts';
import { byteAt, floatAt, wordAt } from '../snapshot/typed-arrays.ts';

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
  const order = snapshot.orders.asc[field];
  const first = firstWanted(order, from, to, wanted);
  if (first < 0) return none;
  const values = snapshot.columns.numbers[field];
  const last = lastWanted(order, first, to, wanted);
  return { min: floatAt(values, wordAt(order, first)), max: floatAt(values, wordAt(order, last)) };
};

const finiteLength = (snapshot: Snapshot, field: FacetField): number =>
  firstAtLeast(snapshot.orders.asc[field], snapshot.columns.numbers[field], Infinity);

/** Smallest and largest finite value of listed slots that count. */
const extentOfList = (values: Float64Array, slots: Uint32Array, { mask, allowed }: Wanted): Extent => {
  const refused = ~allowed;
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < slots.length; i++) {
    const slot = wordAt(slots, i);
    if ((byteAt(mask, slot) & refused) !== 0) continue;
    const value = floatAt(values, slot);
    if (value < min) min = value;
    if (value > max && value < Infinity) max = value;
  }
  return min === Infinity ? none : { min, max };
};

/** A histogram that has been counted: its bins without the one of unknown values. */
export type CountedFacet = Readonly<{
  field: FacetField;
  edges: readonly number[];
  counts: readonly number[];
  /** The same of the whole catalogue. */
  all: readonly number[];
}>;

/** Bins that are not empty. */
type Span = Readonly<{ first: number; last: number }>;

const spanOf = ({ counts }: CountedFacet): Span => {
  let [first, last] = [0, counts.length - 1];
  while (first <= last && counts[first] === 0) first++;
  while (last > first && counts[last] === 0) last--;
  return { first, last };
};

/**
 * Steps along the order until a row counts at both ends: the counts say in which bins the first and the last one
 * lie, and how rare they are there.
 */
const expectedSteps = ({ counts, all }: CountedFacet, { first, last }: Span): number => {
  if (first > last) return 0;
  const stepsIn = (bin: number): number => (all[bin] ?? 0) / ((counts[bin] ?? 0) + 1);
  return stepsIn(first) + stepsIn(last);
};

const walkedExtent = (
  reading: Reading,
  { field, edges, counts }: CountedFacet,
  { first, last }: Span,
  mask: Uint8Array,
): Extent => {
  if (first > last) return none;
  const placeOf = (bound: number): number =>
    placeAtLeast(reading, field, bound, bucketOfBound(reading, field, bound));
  const from = first === 0 ? 0 : placeOf(edges[first] ?? 0);
  const to = placeOf(last === counts.length - 1 ? Infinity : (edges[last + 1] ?? Infinity));
  const wanted = { mask, allowed: 1 << facetFields.indexOf(field) };
  return extentBetween(reading.snapshot, field, wanted, from, to);
};

/** Slots that fail one range at most; `count` says how many they are. */
const slotsCounted = ({ slots, snapshot }: Reading, mask: Uint8Array, count: number): Uint32Array => {
  // A slot that does not count is written too, and then overwritten: hence one place more.
  let used = 0;
  for (let slot = 0; slot < snapshot.size; slot++) {
    const failed = byteAt(mask, slot);
    slots[used] = slot;
    used += (failed & (failed - 1)) === 0 ? 1 : 0;
  }
  return slots.subarray(0, count);
};

/** Steps that are no reason to look at the clock. */
const shortWalk = 10_000;

/**
 * Smallest and largest finite value in each histogram, by whichever of two ways takes fewer steps. `rowsCounted`
 * says how many rows fail one range at most.
 */
export const countedExtents = async (
  reading: Reading,
  facets: readonly CountedFacet[],
  mask: Uint8Array,
  rowsCounted: () => number,
): Promise<readonly Extent[]> => {
  const { snapshot, pace, signal } = reading;
  const spans = facets.map(spanOf);
  const none = { first: 0, last: -1 };
  const steps = facets.reduce((sum, facet, at) => sum + expectedSteps(facet, spans[at] ?? none), 0);
  const isFar = steps > snapshot.size && steps > snapshot.size + facets.length * rowsCounted();
  const few = isFar ? slotsCounted(reading, mask, rowsCounted()) : null;
  const isLong = few !== null || steps > shortWalk;
  const extents: Extent[] = [];
  for (const [at, facet] of facets.entries()) {
    const { field } = facet;
    extents.push(
      few
        ? extentOfList(snapshot.columns.numbers[field], few, {
            mask,
            allowed: 1 << facetFields.indexOf(field),
          })
        : walkedExtent(reading, facet, spans[at] ?? none, mask),
    );
    if (isLong && pace.isDue()) await pace.rest(signal);
  }
  return extents;
};

/** Above one row in this many an end of the order is near; below, looking at each row is quicker. */
const sparse = 64;

const fewCandidates = ({ slots }: Reading, mask: Uint8Array): Uint32Array | null => {
  const most = Math.ceil(mask.length / sparse);
  let used = 0;
  for (let slot = 0; slot < mask.length && used <= most; slot++) {
    slots[used] = slot;
    used += byteAt(mask, slot) === 0 ? 1 : 0;
  }
  return used > most ? null : slots.subarray(0, used);
};

/** Extents of all fields over the rows that pass everything but the ranges; worked out once. */
export const candidateExtents = async (
  reading: Reading,
  candidates: Candidates | null,
): Promise<Readonly<Record<FacetField, Extent>>> => {
  const { snapshot, pace, signal } = reading;
  if (!candidates) return snapshot.extents;
  if (candidates.extents) return candidates.extents;
  const wanted = { mask: candidates.mask, allowed: 0 };
  const few = fewCandidates(reading, candidates.mask);
  const found = new Map<FacetField, Extent>();
  for (const field of facetFields) {
    const extent = few
      ? extentOfList(snapshot.columns.numbers[field], few, wanted)
      : extentBetween(snapshot, field, wanted, 0, finiteLength(snapshot, field));
    found.set(field, extent);
    if (pace.isDue()) await pace.rest(signal);
  }
  candidates.extents = facetRecord((field) => found.get(field) ?? none);
  return candidates.extents;
};
