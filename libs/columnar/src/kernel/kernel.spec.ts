import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '@tapedeck/search-engine/testing';
import { simdKernel, type KernelFactory, type Pass } from './kernel.ts';
import {
  binOffset,
  binStride,
  bucketCount,
  excludedRow,
  facetCount,
  filterColumns,
  maxCodes,
  rowBlock,
} from './layout.ts';
import {
  popularBuckets,
  popularCodes,
  randomColumns,
  randomMask,
  type RandomColumns,
} from './testing/random-columns.ts';
import { referenceKernel } from './testing/reference-kernel.ts';
import { brushRowByRow, numberAt, refreshRowByRow } from './testing/row-by-row.ts';

const kernels: readonly (readonly [name: string, factory: KernelFactory])[] = [
  ['reference', referenceKernel],
  ['SIMD', simdKernel],
];

const maxRows = 20_000;
/** Created once: each memory reserves 4 GiB of addresses. The first two are filled to their capacity. */
const memories = [randomColumns(2_048, 1), randomColumns(8_192, 2), randomColumns(maxRows, 3)] as const;
const columnsFor = (size: number): RandomColumns =>
  memories.find(({ layout }) => layout.capacity >= size) ?? memories[2];

/** Around the ends of vectors and blocks, and any other size. */
const sizes = fc.oneof(
  fc.constantFrom(0, 1, 7, 8, 9, 15, 16, 17, 2_047, 2_048, 2_049, 8_191, 8_192, 8_193),
  fc.nat({ max: 5_000 }),
  fc.nat({ max: maxRows }),
);
const seeds = fc.nat({ max: 2 ** 32 - 1 });
const buckets = fc.oneof(fc.constantFrom(...popularBuckets, 255), fc.nat({ max: 255 }));
/** Any two buckets: in half of the cases low is above high. */
const anyRange = fc.tuple(buckets, buckets);
const openRange = fc.constantFrom([0, 255] as const, [1, 255] as const);
const wideRange = fc.tuple(fc.nat({ max: 80 }), fc.integer({ min: 160, max: 255 }));
const refreshes = fc.record({
  size: sizes,
  seed: seeds,
  pieces: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
  ranges: fc
    .array(fc.oneof(openRange, wideRange, wideRange, anyRange), {
      minLength: facetCount,
      maxLength: facetCount,
    })
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
const binsFrom = (seed: number): Uint8Array => {
  const { below, chance } = seededRandom(seed);
  const rises = chance(0.5);
  return Uint8Array.from(
    { length: facetCount * bucketCount },
    (_, index) => binOffset * (rises ? (index % bucketCount) >> 2 : below(binStride)),
  );
};

const brushes = fc.record({
  refresh: refreshes,
  active: fc.nat({ max: facetCount - 1 }),
  cells: fc.integer({ min: 1, max: 260 }),
});

/** A cell for each code, rising with it as the cells of an axis do; some cells have a single code. */
const cellsOf = (cells: number, seed: number): Uint16Array => {
  const { below } = seededRandom(seed);
  const starts = Array.from({ length: cells - 1 }, () => below(maxCodes)).sort((a, b) => a - b);
  let cell = 0;
  return Uint16Array.from({ length: maxCodes }, (_, code) => {
    while (cell < starts.length && numberAt(starts, cell) <= code) cell += 1;
    return cell;
  });
};

/** The first difference of two lists of numbers, if any. Jest takes seconds to compare lists of this length. */
const differenceOf = (got: ArrayLike<number>, wanted: ArrayLike<number>): string | undefined => {
  if (got.length !== wanted.length) return `length ${got.length}, wanted ${wanted.length}`;
  const index = Array.prototype.findIndex.call(wanted, (number, i) => got[i] !== number);
  return index < 0 ? undefined : `${got[index]} at ${index}, wanted ${wanted[index]}`;
};

describe.each(kernels)('the %s kernel', (_, factory) => {
  const kernelsOf = new Map(memories.map((columns) => [columns, factory(columns.memory, columns.layout)]));
  const kernelOver = (columns: RandomColumns) =>
    kernelsOf.get(columns) ?? factory(columns.memory, columns.layout);

  it('marks and counts as checking row by row does', () => {
    fc.assert(
      fc.property(refreshes, ({ size, seed, ranges, pieces }) => {
        const columns = columnsFor(size);
        const kernel = kernelOver(columns);
        const before = randomMask(size, seed);
        // Rows beyond the size would count if they were read.
        kernel.mask.fill(0);
        kernel.mask.set(before);
        const job = { ranges, bins: binsFrom(seed) };
        const { total, counts } = inPieces(kernel.refresh(job), size, pieces);
        const wanted = refreshRowByRow(columns, before, job);
        expect(total).toBe(wanted.total);
        expect(differenceOf(counts, wanted.counts)).toBeUndefined();
        expect(differenceOf(kernel.mask.subarray(0, size), wanted.mask)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it('counts a brush per cell, in one or several pieces', () => {
    fc.assert(
      fc.property(brushes, ({ refresh, active, cells }) => {
        const { size, seed, ranges, pieces } = refresh;
        ranges[active] = 0;
        ranges[facetCount + active] = 255;
        const columns = columnsFor(size);
        const kernel = kernelOver(columns);
        const before = randomMask(size, seed);
        kernel.mask.fill(0);
        kernel.mask.set(before);
        const job = { ranges, bins: binsFrom(seed), active, cellOf: cellsOf(cells, seed), cells };
        const { hits, counts } = inPieces(kernel.brush(job), size, pieces);
        const wanted = brushRowByRow(columns, before, job);
        expect(differenceOf(hits, wanted.hits)).toBeUndefined();
        expect(differenceOf(counts, wanted.counts)).toBeUndefined();
        expect(differenceOf(kernel.mask.subarray(0, size), wanted.mask)).toBeUndefined();
      }),
      { numRuns: 25 },
    );
  });

  const codes = fc.oneof(fc.constantFrom(...popularCodes), fc.nat({ max: 65_535 }));
  const filters = fc.record({
    size: sizes,
    seed: seeds,
    column: fc.nat({ max: filterColumns.length - 1 }),
  });

  it('excludes rows outside two codes and leaves the others as they were', () => {
    fc.assert(
      fc.property(filters, codes, codes, ({ size, seed, column }, low, high) => {
        const columns = columnsFor(size);
        const kernel = kernelOver(columns);
        const before = randomMask(size, seed);
        kernel.mask.set(before);
        kernel.excludeOutside(column, low, high, size);
        const filter = columns.filters[column] ?? [];
        const expected = before.map((byte, row) => {
          const code = numberAt(filter, row);
          return code < low || code > high ? excludedRow : byte;
        });
        expect(differenceOf(kernel.mask.subarray(0, size), expected)).toBeUndefined();
      }),
      { numRuns: 25 },
    );
  });

  it('excludes rows that lack one of the bits and leaves the others as they were', () => {
    fc.assert(
      fc.property(filters, fc.nat({ max: 65_535 }), ({ size, seed, column }, bits) => {
        const columns = columnsFor(size);
        const kernel = kernelOver(columns);
        const before = randomMask(size, seed);
        kernel.mask.set(before);
        const filter = columns.filters[column] ?? [];
        // Few rows have all of many bits, so the bits of a row are used in half of the cases.
        const wanted = seed % 2 === 0 || size === 0 ? bits : numberAt(filter, seed % size);
        kernel.excludeWithout(column, wanted, size);
        const expected = before.map((byte, row) =>
          (numberAt(filter, row) & wanted) === wanted ? byte : excludedRow,
        );
        expect(differenceOf(kernel.mask.subarray(0, size), expected)).toBeUndefined();
      }),
      { numRuns: 25 },
    );
  });
});
