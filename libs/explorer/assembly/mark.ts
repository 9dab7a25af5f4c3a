// Marks in a mask, 32 rows at a time or 16, and so up to 31 rows beyond its end. Codes are compared with a range as
// unsigned numbers: counted from low, with those below it coming round at the top, what is outside comes after high.
// As vectors of unsigned numbers cannot be compared fast, both sides are lowered by 0x8000.

function toLow(low: i32): v128 {
  return i16x8.splat((0x8000 - low) as i16);
}

function width(low: i32, high: i32): v128 {
  return i16x8.splat((high - low - 0x8000) as i16);
}

/** For 16 rows a byte each, all bits set where the code is outside. */
function outside(codes: usize, low: v128, width: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.gt_s(i16x8.add(v128.load(codes), low), width),
    i16x8.gt_s(i16x8.add(v128.load(codes, 16), low), width),
  );
}

/** Sets these bits in the mask of the rows whose code is below low or above high. */
export function markOutside(codes: usize, low: i32, high: i32, bits: i32, mask: usize, end: usize): void {
  const flag = i8x16.splat(bits as i8);
  // Between codes in the wrong order there is none, but they have a width.
  const every = low > high ? flag : i8x16.splat(0);
  const from = toLow(low);
  const range = width(low, high);
  while (mask < end) {
    const failed = v128.or(v128.and(outside(codes, from, range), flag), every);
    v128.store(mask, v128.or(v128.load(mask), failed));
    const next = v128.or(v128.and(outside(codes + 32, from, range), flag), every);
    v128.store(mask, v128.or(v128.load(mask, 16), next), 16);
    mask += 32;
    codes += 64;
  }
}

/** Moves the bits of all bytes up, and sets the lowest where the code is outside. */
function push(bits: v128, outside: v128): v128 {
  return i8x16.sub(i8x16.add(bits, bits), outside);
}

/**
 * The same for four columns at once, one bit for each from bit `shift` on, which is 0 or 4. No range may be empty. Four
 * columns keep the memory busy: one after the other takes a third longer for a million rows.
 */
export function markFour(
  codes: usize,
  columnBytes: usize,
  ranges: usize,
  shift: i32,
  mask: usize,
  end: usize,
): void {
  const low0 = load<u16>(ranges) as i32;
  const low1 = load<u16>(ranges, 4) as i32;
  const low2 = load<u16>(ranges, 8) as i32;
  const low3 = load<u16>(ranges, 12) as i32;
  const high0 = load<u16>(ranges, 2) as i32;
  const high1 = load<u16>(ranges, 6) as i32;
  const high2 = load<u16>(ranges, 10) as i32;
  const high3 = load<u16>(ranges, 14) as i32;
  const from0 = toLow(low0);
  const from1 = toLow(low1);
  const from2 = toLow(low2);
  const from3 = toLow(low3);
  const range0 = width(low0, high0);
  const range1 = width(low1, high1);
  const range2 = width(low2, high2);
  const range3 = width(low3, high3);
  const second = columnBytes;
  const third = 2 * columnBytes;
  const fourth = 3 * columnBytes;
  while (mask < end) {
    let bits = i8x16.neg(outside(codes + fourth, from3, range3));
    bits = push(bits, outside(codes + third, from2, range2));
    bits = push(bits, outside(codes + second, from1, range1));
    bits = push(bits, outside(codes, from0, range0));
    v128.store(mask, v128.or(v128.load(mask), i16x8.shl(bits, shift)));
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
