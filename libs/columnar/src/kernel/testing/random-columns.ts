import { seededRandom, type Random } from '@tapedeck/search-engine/testing';
import {
  excludedRow,
  filterColumns,
  layoutFor,
  maxCodes,
  memoryFor,
  type KernelMemory,
  type Layout,
  type RowMask,
} from '../layout.ts';

/** Both ends of what each compiled kernel can count, the number of the product, and some between. */
export const facetCounts = [1, 7, 8, 9, 10, 15, 16] as const;

/** A memory with random columns, filled to its capacity: beyond the size that a test uses. */
export type RandomColumns = Readonly<{
  memory: KernelMemory;
  layout: Layout;
  /** Random for each facet, and 0 after the last one. */
  buckets: Uint8Array;
  codes: readonly Uint16Array[];
  filters: readonly Uint16Array[];
}>;

/** Minimum, maximum and values that many rows share, so that rows are exactly on bounds. */
export const popularCodes = [0, 1, 2, 100, 101, 32_767, 32_768, 40_000, 65_534, 65_535] as const;

/** The same for buckets; the last one, 255, stays empty. */
export const popularBuckets = [0, 1, 2, 100, 101, 127, 128, 253, 254] as const;

const anyBucket = ({ chance, pick, below }: Random): number =>
  chance(0.4) ? pick(popularBuckets) : below(255);
const anyFilter = ({ chance, pick, below }: Random): number =>
  chance(0.4) ? pick(popularCodes) : below(65_536);

export const randomColumns = (rows: number, facets: number, seed: number): RandomColumns => {
  const random = seededRandom(seed);
  const layout = layoutFor(rows, facets);
  const { capacity, stride } = layout;
  const memory = memoryFor(layout);
  const columns = (offset: number, count: number, any: () => number): readonly Uint16Array[] =>
    Array.from({ length: count }, (_, index) => {
      const column = new Uint16Array(memory.buffer, offset + 2 * index * capacity, capacity);
      column.set(Uint16Array.from({ length: capacity }, any));
      return column;
    });
  const buckets = new Uint8Array(memory.buffer, layout.buckets, stride * capacity);
  buckets.set(buckets.map((_, index) => (index % stride < facets ? anyBucket(random) : 0)));
  return {
    memory,
    layout,
    buckets,
    codes: columns(layout.codes, facets, () => random.below(maxCodes)),
    filters: columns(layout.filters, filterColumns.length, () => anyFilter(random)),
  };
};

/** A mask as filters leave it: most rows pass, some are excluded, some are known to fail one or several ranges. */
export const randomMask = ({ facets, stride }: Layout, size: number, seed: number): RowMask => {
  const { chance, below } = seededRandom(seed);
  const mask = stride === 8 ? new Uint8Array(size) : new Uint16Array(size);
  for (let row = 0; row < size; row++) {
    if (chance(0.7)) continue;
    if (chance(0.4)) mask[row] = excludedRow;
    else mask[row] = chance(0.7) ? 1 << below(facets) : below(2 ** facets);
  }
  return mask;
};
