import { markOutside, markRows, markWithout } from './mark';
import { facetCount, rangesOffset, scratch } from './scratch';

let mask: usize = 0;
let buckets: usize = 0;
let codes: usize = 0;
let filters: usize = 0;
let capacity: usize = 0;

export function placeColumns(
  maskAt: usize,
  bucketsAt: usize,
  codesAt: usize,
  filtersAt: usize,
  rows: usize,
): void {
  mask = maskAt;
  buckets = bucketsAt;
  codes = codesAt;
  filters = filtersAt;
  capacity = rows;
}

/** The address of the mask, from this row on. */
export function maskFrom(row: usize): usize {
  return mask + row;
}

/** The address of the eight buckets of a row; those of the next one follow. */
export function bucketsFrom(row: usize): usize {
  return buckets + facetCount * row;
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

/** Marks in a block what fails the ranges. */
export function markFailures(first: usize, end: usize): void {
  markRows(bucketsFrom(first), scratch + rangesOffset, mask + first, mask + end);
}

/** Excludes rows whose code in a filter column is below low or above high. */
export function excludeOutside(column: usize, low: i32, high: i32, size: usize): void {
  markOutside(filterFrom(column), low, high, mask, mask + size);
}

/** Excludes rows that lack one of these bits in a filter column. */
export function excludeWithout(column: usize, bits: i32, size: usize): void {
  markWithout(filterFrom(column), bits, mask, mask + size);
}
