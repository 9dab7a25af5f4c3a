import { webAssembly, type KernelMemory } from './web-assembly.ts';

/** Rows are looked at in blocks of this many; a capacity is a multiple of it. */
export const rowBlock = 4_096;

/** u16 columns for the filters that are not ranges. */
export const filterColumns = [
  'publicationDate',
  'backtestingStart',
  'backtestingEnd',
  'pineVersion',
  'flags',
] as const;

/** Where everything stands in the memory, in bytes from its beginning; all multiples of 64. */
export type Layout = Readonly<{
  /** Rows there is room for. */
  capacity: number;
  /** The kernel's own working memory. */
  scratch: number;
  /** u8 per row. */
  mask: number;
  /** u16 per row, facet after facet: row r of facet k at `codes + 2 * (k * capacity + r)`. */
  codes: number;
  /** u16 per row, column after column in the order of `filterColumns`, placed like codes. */
  filters: number;
  /** Three matrices of u8, row after row: four times the bin of facet k of row r at `bins[m] + 8 * r + k`. */
  bins: readonly [number, number, number];
  /** Length of the whole. */
  bytes: number;
}>;

/** What the compiled kernel's own data takes at the beginning of the memory, and its working memory. */
const staticBytes = 65_536;
const scratchBytes = 2 * 1_048_576;

/** The layout for at least so many rows. */
export const layoutFor = (rows: number): Layout => {
  const capacity = Math.max(1, Math.ceil(rows / rowBlock)) * rowBlock;
  const scratch = staticBytes;
  const mask = scratch + scratchBytes;
  const codes = mask + capacity;
  const filters = codes + 2 * 8 * capacity;
  const matrix = filters + 2 * filterColumns.length * capacity;
  const bins = [matrix, matrix + 8 * capacity, matrix + 16 * capacity] as const;
  return { capacity, scratch, mask, codes, filters, bins, bytes: matrix + 24 * capacity };
};

const page = 65_536;
/** 4 GiB, which only reserves addresses: enough for 60 million rows. */
const mostPages = 65_536;

/** A memory that a worker fills and another thread reads. */
export const memoryFor = ({ bytes }: Layout): KernelMemory =>
  new webAssembly.Memory({ initial: Math.ceil(bytes / page), maximum: mostPages, shared: true });
