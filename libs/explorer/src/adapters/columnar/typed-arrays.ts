// One reader per kind of array: the compiler wants an answer for a place outside the array, and a reader
// that sees one kind of array only stays as fast as the plain access.
export const floatAt = (array: Float64Array, index: number): number => array[index] ?? NaN;
export const wordAt = (array: Uint32Array, index: number): number => array[index] ?? 0;
export const byteAt = (array: Uint8Array, index: number): number => array[index] ?? 0;
