import { facetCount } from './kernel.ts';
import { webAssembly, type KernelMemory } from './web-assembly.ts';

/** Rows are looked at in blocks of this many; a capacity is a multiple of it. */
export const rowBlock = 2_048;

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
  /** Eight u8 per row, row after row: the bucket of facet k of row r at `buckets + 8 * r + k`. */
  buckets: number;
  /** u16 per row, facet after facet: the code of row r in facet k at `codes + 2 * (k * capacity + r)`. */
  codes: number;
  /** u16 per row, column after column in the order of `filterColumns`, placed like codes. */
  filters: number;
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
  const buckets = mask + capacity;
  const codes = buckets + facetCount * capacity;
  const filters = codes + 2 * facetCount * capacity;
  const bytes = filters + 2 * filterColumns.length * capacity;
  return { capacity, scratch, mask, buckets, codes, filters, bytes };
};

const page = 65_536;
/** 4 GiB, which only reserves addresses: enough for 120 million rows. */
const mostPages = 65_536;

/** A memory that a worker fills and another thread reads. */
export const memoryFor = ({ bytes }: Layout): KernelMemory =>
  new webAssembly.Memory({ initial: Math.ceil(bytes / page), maximum: mostPages, shared: true });
