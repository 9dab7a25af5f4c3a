// One reader per kind of array: the compiler wants an answer for a place outside the array, and a reader
// that sees one kind of array only stays as fast as the plain access.
export const floatAt = (array: Float64Array, index: number): number => array[index] ?? NaN;
export const wordAt = (array: Uint32Array, index: number): number => array[index] ?? 0;
export const shortAt = (array: Uint16Array, index: number): number => array[index] ?? 0;
export const byteAt = (array: Uint8Array, index: number): number => array[index] ?? 0;

// Arrays that another thread can read.
export const sharedFloats = (length: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(8 * length));
export const sharedWords = (length: number): Uint32Array =>
  new Uint32Array(new SharedArrayBuffer(4 * length));
export const sharedShorts = (length: number): Uint16Array =>
  new Uint16Array(new SharedArrayBuffer(2 * length));
export const sharedBytes = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));

/** The contents of an array at the beginning of a larger one. */
export const moved = <T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};
