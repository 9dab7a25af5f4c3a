// The columns of the rows, and their marks in the mask. Marks are written 4 to 16 rows at a time, so that up to 15 rows
// beyond the end get one too.
import { facetStride, isNarrow, maskBytes, rangesOffset, scratch } from './scratch';

let mask: usize = 0;
let buckets: usize = 0;
let codes: usize = 0;
let filters: usize = 0;
let capacity: usize = 0;

export function setColumns(
  maskAddress: usize,
  bucketsAddress: usize,
  codesAddress: usize,
  filtersAddress: usize,
  rows: usize,
): void {
  mask = maskAddress;
  buckets = bucketsAddress;
  codes = codesAddress;
  filters = filtersAddress;
  capacity = rows;
}

/** The address of the mask from this row on. */
export function maskFrom(row: usize): usize {
  return mask + maskBytes * row;
}

/** The only facet whose range a row fails, by the masks from a row on. */
export function failedFacet(masks: usize, row: usize): usize {
  return ctz((isNarrow ? load<u8>(masks + row) : load<u16>(masks + 2 * row)) as usize);
}

/** The address of the buckets of a row; those of the next row follow. */
export function bucketsFrom(row: usize): usize {
  return buckets + facetStride * row;
}

/** The address of the codes of a facet from this row on. */
export function codesFrom(facet: usize, row: usize): usize {
  return codes + 2 * (facet * capacity + row);
}

function filterFrom(column: usize): usize {
  return filters + 2 * column * capacity;
}

/** Excludes the rows from the end on, as far as a vector can reach. */
export function excludeBeyond(end: usize): void {
  memory.fill(maskFrom(end), 0xff, maskBytes * (-end & 31));
}

/** The masks of the rows of a vector: bit k is set where the bucket in facet k, minus low, is above the width. */
function failures(buckets: usize, low: v128, width: v128): u64 {
  return i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(buckets), low), width)) as u64;
}

/** The lowest buckets of the ranges, or at `facetStride` the highest, for each row of a vector. */
function boundsFrom(ranges: usize): v128 {
  return isNarrow ? v128.load64_splat(ranges) : v128.load(ranges);
}

/**
 * Sets bit k in the mask of the rows whose bucket in facet k is outside range k. A vector is two rows with 8 buckets or
 * one with 16, so that four vectors make 8 bytes of masks. Minus low, as unsigned numbers, buckets below the range wrap
 * around and are above its width as well.
 */
function markRows(buckets: usize, ranges: usize, mask: usize, end: usize): void {
  const lowest = boundsFrom(ranges);
  const highest = boundsFrom(ranges + facetStride);
  // A range whose low is above its high is replaced by bucket 255, which is empty.
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

/** Marks the rows of a block that fail the ranges. */
export function markFailures(first: usize, end: usize): void {
  markRows(bucketsFrom(first), scratch + rangesOffset, maskFrom(first), maskFrom(end));
}

/** The bytes of the codes of a filter column whose rows are in one vector of masks. */
const codesPerMasks: usize = (2 * 16) / maskBytes;

// There is no fast comparison of vectors of unsigned 16-bit numbers, so both sides are reduced by 0x8000.

/** For each of eight rows: all bits are set where the code, minus low, is above the width. */
function outsideEight(codes: usize, low: v128, width: v128): v128 {
  return i16x8.gt_s(i16x8.add(v128.load(codes), low), width);
}

/** The same for the rows of a vector of masks. */
function outside(codes: usize, low: v128, width: v128): v128 {
  const first = outsideEight(codes, low, width);
  return isNarrow ? i8x16.narrow_i16x8_s(first, outsideEight(codes + 16, low, width)) : first;
}

/** Sets all bits in the mask of the rows whose code is below low or above high. */
function markOutside(codes: usize, low: i32, high: i32, mask: usize, end: usize): void {
  // When low is above high, all rows are outside, but the width would not be empty.
  const every = i8x16.splat((low > high ? 0xff : 0) as i8);
  const from = i16x8.splat((0x8000 - low) as i16);
  const width = i16x8.splat((high - low - 0x8000) as i16);
  while (mask < end) {
    const failed = v128.or(outside(codes, from, width), every);
    v128.store(mask, v128.or(v128.load(mask), failed));
    mask += 16;
    codes += codesPerMasks;
  }
}

/** Excludes the rows whose code in a filter column is below low or above high. */
export function excludeOutside(column: usize, low: i32, high: i32, size: usize): void {
  markOutside(filterFrom(column), low, high, mask, maskFrom(size));
}

/** For each of eight rows: all bits are set where the code has all of these bits. */
function eightHaveAll(codes: usize, bits: v128): v128 {
  return i16x8.eq(v128.and(v128.load(codes), bits), bits);
}

/** The same for the rows of a vector of masks. */
function haveAll(codes: usize, bits: v128): v128 {
  const first = eightHaveAll(codes, bits);
  return isNarrow ? i8x16.narrow_i16x8_s(first, eightHaveAll(codes + 16, bits)) : first;
}

/** Sets all bits in the mask of the rows whose code lacks one of these bits. */
function markWithout(codes: usize, bits: i32, mask: usize, end: usize): void {
  const wanted = i16x8.splat(bits as i16);
  while (mask < end) {
    v128.store(mask, v128.or(v128.load(mask), v128.not(haveAll(codes, wanted))));
    mask += 16;
    codes += codesPerMasks;
  }
}

/** Excludes the rows that lack one of these bits in a filter column. */
export function excludeWithout(column: usize, bits: i32, size: usize): void {
  markWithout(filterFrom(column), bits, mask, maskFrom(size));
}
