// The columns of the rows, and their marks in the mask. Marks are written 8 or 16 rows at a time, so that up to 15 rows
// beyond the end get one too.
import { facetCount, rangesOffset, scratch } from './scratch';

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
  return mask + row;
}

/** The address of the eight buckets of a row; those of the next row follow. */
export function bucketsFrom(row: usize): usize {
  return buckets + facetCount * row;
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
  memory.fill(mask + end, 0xff, -end & 31);
}

/** One byte for each of two rows: bit k is set where the bucket in facet k, minus low, is above the width. */
function failures(buckets: usize, low: v128, width: v128): u64 {
  return i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(buckets), low), width)) as u64;
}

/**
 * Sets bit k in the mask of the rows whose bucket in facet k is outside range k. Two rows with all their facets are
 * one vector. Minus low, as unsigned numbers, buckets below the range wrap around and are above its width as well.
 */
function markRows(buckets: usize, ranges: usize, mask: usize, end: usize): void {
  const lowest = v128.load64_splat(ranges);
  const highest = v128.load64_splat(ranges, 8);
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
  markRows(bucketsFrom(first), scratch + rangesOffset, mask + first, mask + end);
}

// There is no fast comparison of vectors of unsigned 16-bit numbers, so both sides are reduced by 0x8000.

/** One byte for each of 16 rows: all bits are set where the code, minus low, is above the width. */
function outside(codes: usize, low: v128, width: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.gt_s(i16x8.add(v128.load(codes), low), width),
    i16x8.gt_s(i16x8.add(v128.load(codes, 16), low), width),
  );
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
    codes += 32;
  }
}

/** Excludes the rows whose code in a filter column is below low or above high. */
export function excludeOutside(column: usize, low: i32, high: i32, size: usize): void {
  markOutside(filterFrom(column), low, high, mask, mask + size);
}

/** One byte for each of 16 rows: all bits are set where the code has all of these bits. */
function haveAll(codes: usize, bits: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.eq(v128.and(v128.load(codes), bits), bits),
    i16x8.eq(v128.and(v128.load(codes, 16), bits), bits),
  );
}

/** Sets all bits in the mask of the rows whose code lacks one of these bits. */
function markWithout(codes: usize, bits: i32, mask: usize, end: usize): void {
  const wanted = i16x8.splat(bits as i16);
  while (mask < end) {
    v128.store(mask, v128.or(v128.load(mask), v128.not(haveAll(codes, wanted))));
    mask += 16;
    codes += 32;
  }
}

/** Excludes the rows that lack one of these bits in a filter column. */
export function excludeWithout(column: usize, bits: i32, size: usize): void {
  markWithout(filterFrom(column), bits, mask, mask + size);
}
