// A mask is written 32 rows at a time, and so up to 31 rows beyond its end.

/** For 16 rows a byte each, all bits set where the code comes after the range. */
function comeAfter(codes: usize, toLow: v128, width: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.gt_s(i16x8.add(v128.load(codes), toLow), width),
    i16x8.gt_s(i16x8.add(v128.load(codes, 16), toLow), width),
  );
}

/** Sets these bits in the mask of the rows whose code is below low or above high. */
export function markOutside(codes: usize, low: i32, high: i32, bits: i32, mask: usize, end: usize): void {
  const flag = i8x16.splat(bits as i8);
  // Counted from low, and with codes below it coming round at the top, what is outside comes after high. As
  // vectors of unsigned numbers cannot be compared fast, both sides are lowered by 0x8000.
  const toLow = i16x8.splat((0x8000 - low) as i16);
  const width = i16x8.splat((high - low - 0x8000) as i16);
  // Between codes in the wrong order there is none, but they have a width.
  const always = low > high ? flag : i8x16.splat(0);
  while (mask < end) {
    const failed = v128.or(v128.and(comeAfter(codes, toLow, width), flag), always);
    v128.store(mask, v128.or(v128.load(mask), failed));
    const next = v128.or(v128.and(comeAfter(codes + 32, toLow, width), flag), always);
    v128.store(mask, v128.or(v128.load(mask, 16), next), 16);
    mask += 32;
    codes += 64;
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
    v128.store(mask, v128.or(v128.load(mask, 16), v128.not(haveAll(codes + 32, wanted))), 16);
    mask += 32;
    codes += 64;
  }
}
