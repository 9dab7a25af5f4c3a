import { bitPositionsOffset, failingOneOffset, isNarrow, passingOffset, scratch } from './scratch';

/** The ends of the two lists. Their elements are u16: the number of a row in its block. */
export let passingEnd: usize = 0;
export let failingOneEnd: usize = 0;

export function passingCount(): usize {
  return (passingEnd - scratch - passingOffset) >> 1;
}

export function fillBitPositions(): void {
  for (let byte: usize = 0; byte < 256; byte++) {
    let address = scratch + bitPositionsOffset + 8 * byte;
    for (let bits = byte; bits != 0; bits &= bits - 1) store<u8>(address++, ctz(bits) as u8);
  }
}

/** Adds to a list those of eight rows whose bits are set; what is beyond the new end is overwritten later. */
function append(end: usize, bits: i32, bitPositions: usize, first: v128): usize {
  v128.store(end, i16x8.add(v128.load8x8_u(bitPositions + 8 * bits), first));
  return end + 2 * popcnt(bits);
}

/** One bit for each mask of a vector: set where it is zero. */
function areZero(masks: v128): i32 {
  const zero = i8x16.splat(0);
  return isNarrow ? i8x16.bitmask(i8x16.eq(masks, zero)) : i16x8.bitmask(i16x8.eq(masks, zero));
}

/** x & (x - 1) for each mask of a vector: zero when it has one bit or none. */
function withoutLowestBit(masks: v128): v128 {
  const reduced = isNarrow ? i8x16.sub(masks, i8x16.splat(1)) : i16x8.sub(masks, i16x8.splat(1));
  return v128.and(masks, reduced);
}

/** Lists the rows of a block that fail nothing, and those that fail exactly one range. */
export function listRows(mask: usize, maskEnd: usize): void {
  const bitPositions = scratch + bitPositionsOffset;
  const eight = i16x8.splat(8);
  let passing = scratch + passingOffset;
  let failingOne = scratch + failingOneOffset;
  let first = i16x8.splat(0);
  while (mask < maskEnd) {
    const failures = v128.load(mask);
    const passed = areZero(failures);
    const failedOne = areZero(withoutLowestBit(failures)) ^ passed;
    passing = append(passing, passed & 255, bitPositions, first);
    failingOne = append(failingOne, failedOne & 255, bitPositions, first);
    first = i16x8.add(first, eight);
    if (isNarrow) {
      passing = append(passing, passed >> 8, bitPositions, first);
      failingOne = append(failingOne, failedOne >> 8, bitPositions, first);
      first = i16x8.add(first, eight);
    }
    mask += 16;
  }
  passingEnd = passing;
  failingOneEnd = failingOne;
}
