import { seededRandom, type Random } from '@tapedeck/search-engine/testing';
import {
  excludedRow,
  facetCount,
  filterColumns,
  layoutFor,
  maxCodes,
  memoryFor,
  type KernelMemory,
  type Layout,
} from '../layout.ts';

/** A memory with random columns, filled to its capacity: beyond the size that a test uses. */
export type RandomColumns = Readonly<{
  memory: KernelMemory;
  layout: Layout;
  /** Eight for each row. */
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

export const randomColumns = (rows: number, seed: number): RandomColumns => {
  const random = seededRandom(seed);
  const layout = layoutFor(rows);
  const { capacity } = layout;
  const memory = memoryFor(layout);
  const columns = (offset: number, count: number, any: () => number): readonly Uint16Array[] =>
    Array.from({ length: count }, (_, index) => {
      const column = new Uint16Array(memory.buffer, offset + 2 * index * capacity, capacity);
      column.set(Uint16Array.from({ length: capacity }, any));
      return column;
    });
  const buckets = new Uint8Array(memory.buffer, layout.buckets, facetCount * capacity);
  buckets.set(Uint8Array.from({ length: buckets.length }, () => anyBucket(random)));
  return {
    memory,
    layout,
    buckets,
    codes: columns(layout.codes, facetCount, () => random.below(maxCodes)),
    filters: columns(layout.filters, filterColumns.length, () => anyFilter(random)),
  };
};

/** A mask as filters leave it: most rows pass, some are excluded, some are known to fail one or several ranges. */
export const randomMask = (size: number, seed: number): Uint8Array => {
  const { chance, below } = seededRandom(seed);
  return Uint8Array.from({ length: size }, () => {
    if (chance(0.7)) return 0;
    if (chance(0.4)) return excludedRow;
    return chance(0.7) ? 1 << below(facetCount) : below(256);
  });
};
