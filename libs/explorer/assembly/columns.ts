import { markFour, markOutside, markWithout } from './mark';
import { rangesOffset, scratch } from './scratch';

let mask: usize = 0;
let codes: usize = 0;
let filters: usize = 0;
let capacity: usize = 0;

export function placeColumns(maskAt: usize, codesAt: usize, filtersAt: usize, rows: usize): void {
  mask = maskAt;
  codes = codesAt;
  filters = filtersAt;
  capacity = rows;
}

/** The address of the mask, from this row on. */
export function maskFrom(row: usize): usize {
  return mask + row;
}

/** The address of the codes of a facet, from this row on. */
export function codesFrom(facet: usize, row: usize): usize {
  return codes + 2 * (facet * capacity + row);
}

function filterFrom(column: usize): usize {
  return filters + 2 * column * capacity;
}

/** Rows from the end on, as far as a vector reaches, never count. */
export function excludeBeyond(end: usize): void {
  memory.fill(mask + end, 0xff, -end & 31);
}

function lowOf(facet: usize): i32 {
  return load<u16>(scratch + rangesOffset + 4 * facet) as i32;
}

function highOf(facet: usize): i32 {
  return load<u16>(scratch + rangesOffset + 4 * facet, 2) as i32;
}

/** A range that takes every code is none. */
function isActive(facet: usize): bool {
  return lowOf(facet) > 0 || highOf(facet) < 0xffff;
}

/** Whether four facets are marked faster together than those that are active one by one. */
function goTogether(half: usize): bool {
  let active: i32 = 0;
  for (let facet = half; facet < half + 4; facet++) {
    if (lowOf(facet) > highOf(facet)) return false;
    active += isActive(facet) as i32;
  }
  return active > 2;
}

function markHalf(half: usize, first: usize, end: usize): void {
  const mask = maskFrom(first);
  const maskEnd = maskFrom(end);
  if (goTogether(half)) {
    const ranges = scratch + rangesOffset + 4 * half;
    return markFour(codesFrom(half, first), 2 * capacity, ranges, half as i32, mask, maskEnd);
  }
  for (let facet = half; facet < half + 4; facet++) {
    if (!isActive(facet)) continue;
    markOutside(codesFrom(facet, first), lowOf(facet), highOf(facet), 1 << (facet as i32), mask, maskEnd);
  }
}

/** Marks in a block what fails the ranges. */
export function markFailures(first: usize, end: usize): void {
  markHalf(0, first, end);
  markHalf(4, first, end);
}

/** Excludes rows whose code in a filter column is below low or above high. */
export function excludeOutside(column: usize, low: i32, high: i32, size: usize): void {
  markOutside(filterFrom(column), low, high, 0xff, mask, mask + size);
}

/** Excludes rows that lack one of these bits in a filter column. */
export function excludeWithout(column: usize, bits: i32, size: usize): void {
  markWithout(filterFrom(column), bits, mask, mask + size);
}
