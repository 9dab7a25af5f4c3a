import { failingOneOffset, passingOffset, placesOffset, scratch } from './scratch';

/** Ends of the two lists, whose places are u16: rows counted from the first of the block. */
export let passingEnd: usize = 0;
export let failingOneEnd: usize = 0;

export function passingCount(): usize {
  return (passingEnd - scratch - passingOffset) >> 1;
}

export function fillPlaces(): void {
  for (let byte: usize = 0; byte < 256; byte++) {
    let place = scratch + placesOffset + 8 * byte;
    for (let bits = byte; bits != 0; bits &= bits - 1) store<u8>(place++, ctz(bits) as u8);
  }
}

/** Adds to a list the rows whose bits are set among eight; what stands beyond the new end is overwritten later. */
function append(end: usize, bits: i32, places: usize, first: v128): usize {
  v128.store(end, i16x8.add(v128.load8x8_u(places + 8 * bits), first));
  return end + 2 * popcnt(bits);
}

/** Lists the rows of a block that fail nothing, and those that fail one range. */
export function listRows(mask: usize, maskEnd: usize): void {
  const places = scratch + placesOffset;
  const zero = i8x16.splat(0);
  const eight = i16x8.splat(8);
  let passing = scratch + passingOffset;
  let failingOne = scratch + failingOneOffset;
  let first = i16x8.splat(0);
  while (mask < maskEnd) {
    const failures = v128.load(mask);
    const passed = i8x16.bitmask(i8x16.eq(failures, zero));
    // x & (x - 1) takes the lowest bit away: nothing is left of a single one, nor of none.
    const rest = v128.and(failures, i8x16.sub(failures, i8x16.splat(1)));
    const failedOne = i8x16.bitmask(i8x16.eq(rest, zero)) ^ passed;
    passing = append(passing, passed & 255, places, first);
    failingOne = append(failingOne, failedOne & 255, places, first);
    first = i16x8.add(first, eight);
    passing = append(passing, passed >> 8, places, first);
    failingOne = append(failingOne, failedOne >> 8, places, first);
    first = i16x8.add(first, eight);
    mask += 16;
  }
  passingEnd = passing;
  failingOneEnd = failingOne;
}
