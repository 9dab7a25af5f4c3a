import { facetStrideFor, type FacetStride } from './facet-limit.ts';

/** Rows are processed in blocks of this many; a capacity is a multiple of it. */
export const rowBlock = 2_048;
/** Number of buckets that a byte can name; the last one stays empty. */
export const bucketCount = 256;
/** Size of one histogram in counters: its bins and the count of unknown values. */
export const binStride = 64;
/** Factor of a bin number in a table of bins: the size of a counter in bytes. */
export const binOffset = 4;
/** The maximum number of codes of a facet. */
export const maxCodes = 1_024;
/** The maximum number of intervals of a brush. */
export const maxIntervals = 768;
/** A bit for each range that a row fails, or `excludedRow`: a byte per row for up to eight facets, else two. */
export type RowMask = Uint8Array | Uint16Array;
/**
 * The mask of a row that fails something other than the ranges: all bits are set; a mask of one byte keeps eight of them.
 * It counts nowhere, because more than one bit is set, even with a single facet.
 */
export const excludedRow = 0xffff;

/** u16 columns for the filters that are not ranges. */
export const filterColumns = [
  'publicationDate',
  'backtestingStart',
  'backtestingEnd',
  'pineVersion',
  'flags',
] as const;

/** Offsets of the columns in the memory, in bytes; all are multiples of 64. */
export type Layout = Readonly<{
  /** The number of rows that the memory can hold. */
  capacity: number;
  /** The number of facets. */
  facets: number;
  /** The distance of the buckets of two rows, in bytes. */
  stride: FacetStride;
  /** The number of histograms in an interval of a brush: one per facet, and at least eight; those after the facets mean nothing. */
  histograms: number;
  /** The kernel's own working memory. */
  scratch: number;
  /** u8 or u16 per row. */
  mask: number;
  /** u8, row after row: the bucket of facet k of row r is at `buckets + stride * r + k`. Without facet k it is 0. */
  buckets: number;
  /** u16 per row, facet after facet: the code of row r in facet k is at `codes + 2 * (k * capacity + r)`. */
  codes: number;
  /** u16 per row, column after column in the order of `filterColumns`, placed like codes. */
  filters: number;
  /** Length of the memory. */
  bytes: number;
}>;

/** Size of the compiled kernel's static data, which is at the start of the memory. */
const staticBytes = 65_536;
/** 1.5 or 3 MB are the intervals of a brush. */
const scratchBytesPerFacet = 262_144;

/**
 * The layout for at least this many rows.
 *
 * @throws RangeError when the kernel cannot count this many facets.
 */
export const layoutFor = (rows: number, facets: number): Layout => {
  const stride = facetStrideFor(facets);
  const capacity = Math.max(1, Math.ceil(rows / rowBlock)) * rowBlock;
  const scratch = staticBytes;
  const mask = scratch + scratchBytesPerFacet * stride;
  const buckets = mask + (stride / 8) * capacity;
  const codes = buckets + stride * capacity;
  const filters = codes + 2 * facets * capacity;
  const bytes = filters + 2 * filterColumns.length * capacity;
  const histograms = Math.max(8, facets);
  return { capacity, facets, stride, histograms, scratch, mask, buckets, codes, filters, bytes };
};

/** A WebAssembly memory; its buffer is shared between threads. */
export type KernelMemory = Readonly<{ buffer: ArrayBuffer | SharedArrayBuffer }>;

export type CompiledModule = Readonly<{ readonly compiled: unique symbol }>;

/** The parts of WebAssembly that the kernel uses. */
type WebAssemblyApi = Readonly<{
  Memory: new (size: Readonly<{ initial: number; maximum: number; shared: true }>) => KernelMemory;
  Module: new (bytes: Uint8Array) => CompiledModule;
  Instance: new (
    module: CompiledModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => Readonly<{ exports: Readonly<Record<string, unknown>> }>;
}>;

// Node's type definitions leave this global to those of the browser.
export const webAssembly = (globalThis as unknown as Readonly<{ WebAssembly: WebAssemblyApi }>).WebAssembly;

const pageBytes = 65_536;
/** 4 GiB, which only reserves addresses: enough for 120 million rows. */
const maxPages = 65_536;

/** A memory that a worker fills and another thread reads. */
export const memoryFor = ({ bytes }: Layout): KernelMemory =>
  new webAssembly.Memory({ initial: Math.ceil(bytes / pageBytes), maximum: maxPages, shared: true });

/** The mask in a memory. */
export const maskIn = ({ buffer }: KernelMemory, { mask, stride, capacity }: Layout): RowMask =>
  stride === 8 ? new Uint8Array(buffer, mask, capacity) : new Uint16Array(buffer, mask, capacity);
