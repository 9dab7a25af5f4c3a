// Marks in a mask, 16 rows at a time or 8, and so up to 15 rows beyond its end.

/** For two rows a byte each: bit k is set where the bucket in facet k, counted from low, is beyond the width. */
function failures(buckets: usize, low: v128, width: v128): u64 {
  return i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(buckets), low), width)) as u64;
}

/**
 * Sets bit k in the mask of the rows whose bucket in facet k is outside range k. Two rows with all their facets are
 * one vector: counted from low, as unsigned numbers, what is below comes round at the top and is beyond the width.
 */
export function markRows(buckets: usize, ranges: usize, mask: usize, end: usize): void {
  const lowest = v128.load64_splat(ranges);
  const highest = v128.load64_splat(ranges, 8);
  // Between bounds in the wrong order there is none: such a range is that of bucket 255, which no row is in.
  const empty = i8x16.gt_u(lowest, highest);
  const low = v128.or(lowest, empty);
  const width = v128.andnot(i8x16.sub(highest, lowest), empty);
  while (mask < end) {
    const failed =
      failures(buckets, low, width) |
      (failures(buckets + 16, low, width) << 16) |
      (failures(buckets + 32, low, width) << 32) |
      (failures(buckets + 48, low, width) << 48);
    store<u64>(mask, load<u64>(mask) | failed);
    mask += 8;
    buckets += 64;
  }
}

// Vectors of unsigned numbers of 16 bits cannot be compared fast, so both sides are lowered by 0x8000.

/** For 16 rows a byte each, all bits set where the code, counted from low, is beyond the width. */
function outside(codes: usize, low: v128, width: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.gt_s(i16x8.add(v128.load(codes), low), width),
    i16x8.gt_s(i16x8.add(v128.load(codes, 16), low), width),
  );
}

/** Sets all bits in the mask of the rows whose code is below low or above high. */
export function markOutside(codes: usize, low: i32, high: i32, mask: usize, end: usize): void {
  // Between codes in the wrong order there is none, but they have a width.
  const every = i8x16.splat((low > high ? 0xff : 0) as i8);
  const from = i16x8.splat((0x8000 - low) as i16);
  const width = i16x8.splat((high - low - 0x8000) as i16);
  while (mask < end) {
    const failed = v128.or(outside(codes, from, width), every);
    v128.store(mask, v128.or(v128.load(mask), failed));
    mask += 16;
    codes += 32;
  }
}

/** For 16 rows a byte each, all bits set where the code has all of these. */
function haveAll(codes: usize, bits: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.eq(v128.and(v128.load(codes), bits), bits),
    i16x8.eq(v128.and(v128.load(codes, 16), bits), bits),
  );
}

/** Sets all bits in the mask of the rows whose code lacks one of these. */
export function markWithout(codes: usize, bits: i32, mask: usize, end: usize): void {
  const wanted = i16x8.splat(bits as i16);
  while (mask < end) {
    v128.store(mask, v128.or(v128.load(mask), v128.not(haveAll(codes, wanted))));
    mask += 16;
    codes += 32;
  }
}
