import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '@tapedeck/search-engine/testing';
import { facetStrideFor } from './facet-limit.ts';
import type { Kernel, Pass } from './kernel.ts';
import {
  binOffset,
  binStride,
  bucketCount,
  excludedRow,
  filterColumns,
  layoutFor,
  maxCodes,
  rowBlock,
  type Layout,
  type RowMask,
} from './layout.ts';
import { simdKernel } from './simd-kernel.ts';
import {
  facetCounts,
  popularBuckets,
  popularCodes,
  randomColumns,
  randomMask,
  type RandomColumns,
} from './testing/random-columns.ts';
import { brushRowByRow, numberAt, refreshRowByRow } from './testing/row-by-row.ts';

const maxRows = 20_000;
/** The first two are filled to their capacity. */
const memorySizes = [2_048, 8_192, maxRows] as const;

/** Around the ends of vectors and blocks, and any other size. */
const sizes = fc.oneof(
  fc.constantFrom(0, 1, 7, 8, 9, 15, 16, 17, 2_047, 2_048, 2_049, 8_191, 8_192, 8_193),
  fc.nat({ max: 5_000 }),
  fc.nat({ max: maxRows }),
);
const seeds = fc.nat({ max: 2 ** 32 - 1 });
const codes = fc.oneof(fc.constantFrom(...popularCodes), fc.nat({ max: 65_535 }));
const buckets = fc.oneof(fc.constantFrom(...popularBuckets, 255), fc.nat({ max: 255 }));
/** Any two buckets: in half of the cases low is above high. */
const anyRange = fc.tuple(buckets, buckets);
const openRange = fc.constantFrom([0, 255] as const, [1, 255] as const);
const wideRange = fc.tuple(fc.nat({ max: 80 }), fc.integer({ min: 160, max: 255 }));
type Refresh = Readonly<{ size: number; seed: number; pieces: readonly number[]; ranges: Uint8Array }>;
const refreshesOf = (facets: number): fc.Arbitrary<Refresh> =>
  fc.record({
    size: sizes,
    seed: seeds,
    pieces: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
    ranges: fc
      .array(fc.oneof(openRange, wideRange, wideRange, anyRange), { minLength: facets, maxLength: facets })
      .map((pairs) => Uint8Array.from([...pairs.map(([low]) => low), ...pairs.map(([, high]) => high)])),
  });

/** Counts as many blocks at a time as `pieces` lists, and then the rest. */
const inPieces = <Counts>(pass: Pass<Counts>, size: number, pieces: readonly number[]): Counts => {
  let from = 0;
  for (const blocks of [...pieces, Infinity]) {
    const to = Math.min(size, from + blocks * rowBlock);
    if (from < to) pass.count(from, to);
    from = to;
  }
  return pass.done();
};

/** Bins that rise with the buckets, as those of an axis do, or random bins. */
const binsFrom = (facets: number, seed: number): Uint8Array => {
  const { below, chance } = seededRandom(seed);
  const rises = chance(0.5);
  return Uint8Array.from(
    { length: facets * bucketCount },
    (_, index) => binOffset * (rises ? (index % bucketCount) >> 2 : below(binStride)),
  );
};

type Brush = Readonly<{ refresh: Refresh; active: number; intervals: number }>;
const brushesOf = (facets: number): fc.Arbitrary<Brush> =>
  fc.record({
    refresh: refreshesOf(facets),
    active: fc.nat({ max: facets - 1 }),
    intervals: fc.integer({ min: 1, max: 260 }),
  });

/** An interval for each code, rising with it as the intervals of an axis do; some intervals have a single code. */
const intervalsOf = (intervals: number, seed: number): Uint16Array => {
  const { below } = seededRandom(seed);
  const starts = Array.from({ length: intervals - 1 }, () => below(maxCodes)).sort((a, b) => a - b);
  let interval = 0;
  return Uint16Array.from({ length: maxCodes }, (_, code) => {
    while (interval < starts.length && numberAt(starts, interval) <= code) interval += 1;
    return interval;
  });
};

/** The first difference of two lists of numbers, if any. Jest takes seconds to compare lists of this length. */
const differenceOf = (got: ArrayLike<number>, wanted: ArrayLike<number>): string | undefined => {
  if (got.length !== wanted.length) return `length ${got.length}, wanted ${wanted.length}`;
  const index = Array.prototype.findIndex.call(wanted, (number, i) => got[i] !== number);
  return index < 0 ? undefined : `${got[index]} at ${index}, wanted ${wanted[index]}`;
};

const openRanges = (facets: number): Uint8Array =>
  Uint8Array.from({ length: 2 * facets }, (_, end) => (end < facets ? 0 : 255));

type MaskedRows = Readonly<{ kernel: Kernel; columns: RandomColumns; before: RowMask }>;

/** The counts of the facets, without the histograms after the last one. */
const usedCounts = (counts: Uint32Array, { facets, histograms }: Layout): Uint32Array =>
  counts.filter((_, index) => Math.floor(index / binStride) % histograms < facets);

describe.each(facetCounts)('the kernel with %i facets', (facets) => {
  // Created once: each memory reserves 4 GiB of addresses.
  const kernels = memorySizes.map((size, index) => {
    const columns = randomColumns(size, facets, index);
    return { columns, kernel: simdKernel(columns.memory, columns.layout) };
  });
  /** The smallest memory with room for these rows, with this mask. Rows beyond the size would count if they were read. */
  const withMask = (size: number, seed: number): MaskedRows => {
    const found = kernels.find(({ kernel }) => kernel.layout.capacity >= size);
    if (!found) throw new Error(`No memory has room for ${size} rows.`);
    const before = randomMask(found.kernel.layout, size, seed);
    found.kernel.mask.fill(0);
    found.kernel.mask.set(before);
    return { ...found, before };
  };

  it('marks and counts as checking row by row does', () => {
    fc.assert(
      fc.property(refreshesOf(facets), ({ size, seed, ranges, pieces }) => {
        const { kernel, columns, before } = withMask(size, seed);
        const job = { ranges, bins: binsFrom(facets, seed) };
        const { total, counts } = inPieces(kernel.refresh(job), size, pieces);
        const wanted = refreshRowByRow(columns, before, job);
        expect(total).toBe(wanted.total);
        expect(differenceOf(counts, wanted.counts)).toBeUndefined();
        expect(differenceOf(kernel.mask.subarray(0, size), wanted.mask)).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('counts a brush per interval, in one or several pieces', () => {
    fc.assert(
      fc.property(brushesOf(facets), ({ refresh, active, intervals }) => {
        const { size, seed, ranges, pieces } = refresh;
        ranges[active] = 0;
        ranges[facets + active] = 255;
        const { kernel, columns, before } = withMask(size, seed);
        const job = {
          ranges,
          bins: binsFrom(facets, seed),
          active,
          intervalOf: intervalsOf(intervals, seed),
          intervals,
        };
        const { hits, counts } = inPieces(kernel.brush(job), size, pieces);
        const wanted = brushRowByRow(columns, before, job);
        expect(differenceOf(hits, wanted.hits)).toBeUndefined();
        expect(differenceOf(usedCounts(counts, kernel.layout), wanted.counts)).toBeUndefined();
        expect(differenceOf(kernel.mask.subarray(0, size), wanted.mask)).toBeUndefined();
      }),
      { numRuns: 15 },
    );
  });

  it('counts an excluded row nowhere, and a row that fails all ranges only where that is a single one', () => {
    const { kernel } = withMask(0, 1);
    kernel.mask[1] = 2 ** facets - 1;
    kernel.mask[2] = excludedRow;
    const job = { ranges: openRanges(facets), bins: new Uint8Array(facets * bucketCount) };
    const intervalOf = new Uint16Array(maxCodes);
    const { total, counts } = inPieces(kernel.refresh(job), 3, []);
    const firstBins = Array.from({ length: facets }, (_, facet) => counts[facet * binStride]);
    expect([total, ...firstBins]).toEqual([1, ...firstBins.map(() => (facets === 1 ? 2 : 1))]);
    const brush = inPieces(kernel.brush({ ...job, active: 0, intervalOf, intervals: 1 }), 3, []);
    expect([...brush.hits]).toEqual([1]);
  });

  const filters = fc.record({
    size: sizes,
    seed: seeds,
    column: fc.nat({ max: filterColumns.length - 1 }),
  });

  it('excludes rows outside two codes and leaves the others as they were', () => {
    fc.assert(
      fc.property(filters, codes, codes, ({ size, seed, column }, low, high) => {
        const { kernel, columns, before } = withMask(size, seed);
        kernel.excludeOutside(column, low, high, size);
        const filter = columns.filters[column] ?? [];
        const expected = before.map((mask, row) => {
          const code = numberAt(filter, row);
          return code < low || code > high ? excludedRow : mask;
        });
        expect(differenceOf(kernel.mask.subarray(0, size), expected)).toBeUndefined();
      }),
      { numRuns: 8 },
    );
  });

  it('excludes rows that lack one of the bits and leaves the others as they were', () => {
    fc.assert(
      fc.property(filters, fc.nat({ max: 65_535 }), ({ size, seed, column }, bits) => {
        const { kernel, columns, before } = withMask(size, seed);
        const filter = columns.filters[column] ?? [];
        // Few rows have all of many bits, so the bits of a row are used in half of the cases.
        const wanted = seed % 2 === 0 || size === 0 ? bits : numberAt(filter, seed % size);
        kernel.excludeWithout(column, wanted, size);
        const expected = before.map((mask, row) =>
          (numberAt(filter, row) & wanted) === wanted ? mask : excludedRow,
        );
        expect(differenceOf(kernel.mask.subarray(0, size), expected)).toBeUndefined();
      }),
      { numRuns: 8 },
    );
  });
});

describe('the number of facets', () => {
  it('is 1 to 16', () => {
    expect([1, 8, 9, 16].map(facetStrideFor)).toEqual([8, 8, 16, 16]);
    for (const facets of [0, 17, 1.5, NaN]) {
      const refusal = `The search engine takes 1 to 16 facets, but the catalogue has ${facets}.`;
      expect(() => facetStrideFor(facets)).toThrow(refusal);
      expect(() => layoutFor(1, facets)).toThrow(refusal);
    }
  });
});
