/**
 * Counts as text: variable-length integers, seven bits a byte with the lowest first, in base64. Most counts of a
 * slice are small, and what repeats is left to the transport's compression.
 */
export const packCounts = (counts: Uint32Array): string => {
  const bytes = new Uint8Array(counts.length * 5);
  let used = 0;
  for (const count of counts) {
    let rest = count;
    for (; rest > 127; rest >>>= 7) bytes[used++] = (rest & 127) | 128;
    bytes[used++] = rest;
  }
  let text = '';
  // A call takes only so many arguments.
  for (let at = 0; at < used; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(used, at + 8_192)));
  }
  return btoa(text);
};

/** @throws Error when the text does not hold exactly `length` counts. */
export const unpackCounts = (text: string, length: number): Uint32Array => {
  const packed = atob(text);
  const counts = new Uint32Array(length);
  let [place, shift, count] = [0, 0, 0];
  for (let at = 0; at < packed.length; at++) {
    const byte = packed.charCodeAt(at);
    count |= (byte & 127) << shift;
    shift += 7;
    if (byte > 127) continue;
    counts[place++] = count;
    [shift, count] = [0, 0];
  }
  if (place !== length || shift !== 0) throw new Error(`Packed counts: ${place} instead of ${length}.`);
  return counts;
};
