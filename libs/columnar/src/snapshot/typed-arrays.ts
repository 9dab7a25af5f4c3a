import type { RowMask } from '../kernel/layout.ts';

// One accessor per array type: the compiler requires a value for an index outside the array, and an accessor that sees
// only one array type stays as fast as the plain access.
export const floatAt = (array: Float64Array, index: number): number => array[index] ?? NaN;
export const wordAt = (array: Uint32Array, index: number): number => array[index] ?? 0;
export const shortAt = (array: Uint16Array, index: number): number => array[index] ?? 0;
export const byteAt = (array: Uint8Array, index: number): number => array[index] ?? 0;
/** In one process all masks have the same type, which follows from the number of facets. */
export const maskAt = (mask: RowMask, slot: number): number => mask[slot] ?? 0;

// Arrays that another thread can read.
export const sharedFloats = (length: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(8 * length));
export const sharedWords = (length: number): Uint32Array =>
  new Uint32Array(new SharedArrayBuffer(4 * length));
export const sharedShorts = (length: number): Uint16Array =>
  new Uint16Array(new SharedArrayBuffer(2 * length));
export const sharedBytes = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));

/** Copies an array to the start of a larger one, and returns the larger one. */
export const copyTo = <T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(
  from: T,
  to: T,
): T => {
  to.set(from);
  return to;
};

/**
 * The first index from `from` to `to` that is not before what is sought: `isBefore` is true for all indexes below it
 * and false for all others.
 */
export const partitionPoint = (from: number, to: number, isBefore: (index: number) => boolean): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};
