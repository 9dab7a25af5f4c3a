import type { FacetField } from '../../../contract.ts';
import { bucketOf } from '../snapshot/buckets.ts';
import { firstAbove, firstAtLeast } from '../snapshot/permutation.ts';
import { wordAt } from '../snapshot/typed-arrays.ts';
import type { Reading } from './snapshot-view.ts';

/** The bucket of a bound, and where in the ascending order of its field it begins and ends. */
export type BoundBucket = Readonly<{ bucket: number; from: number; to: number }>;

export const bucketOfBound = (
  { generation, snapshot }: Reading,
  field: FacetField,
  bound: number,
): BoundBucket => {
  const bucket = bucketOf(generation.cuts[field], bound);
  const starts = snapshot.starts[field];
  return { bucket, from: wordAt(starts, bucket), to: wordAt(starts, bucket + 1) };
};

/** First place in the ascending order whose value is at or above the bound. */
export const placeAtLeast = (
  { snapshot }: Reading,
  field: FacetField,
  bound: number,
  { from, to }: BoundBucket,
): number => firstAtLeast(snapshot.orders.asc[field], snapshot.columns.numbers[field], bound, from, to);

/** First place in the ascending order whose value is above the bound. */
export const placeAbove = (
  { snapshot }: Reading,
  field: FacetField,
  bound: number,
  { from, to }: BoundBucket,
): number => firstAbove(snapshot.orders.asc[field], snapshot.columns.numbers[field], bound, from, to);
