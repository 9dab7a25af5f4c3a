import { describe, expect, it } from '@jest/globals';
import { facetFields, type FacetField, facetRecord } from '@tapedeck/search-engine/contract';
import {
  toSearchFilter,
  type ExplorerRow,
  type NumberRange,
  type SearchFilter,
} from '@tapedeck/search-engine/port';
import { seededRandom, randomRow, type Random } from '@tapedeck/search-engine/testing';
import { computeEdges } from '@tapedeck/search-engine/catalogue';
import { bucketOf, bucketStarts, computeBucketCuts, forEachBucket, type BucketCuts } from './buckets.ts';
import { intervalsByCode, codeOf, snapPointsOnScale } from './codes.ts';
import { createColumnarEngine } from '../engine.ts';

const next = new Float64Array(1);
const bits = new BigInt64Array(next.buffer);
/** The next larger or smaller float. */
const neighbour = (value: number, step: 1 | -1): number => {
  if (value === 0) return step * Number.MIN_VALUE;
  next[0] = value;
  bits[0] = (bits[0] ?? 0n) + BigInt(value > 0 ? step : -step);
  return next[0] ?? 0;
};

const rowWith = (random: Random, at: number, value: (field: FacetField) => number | null): ExplorerRow => ({
  ...randomRow(random, `row${String(at).padStart(6, '0')}`),
  figures: facetRecord(value),
});

const ranged = (field: FacetField, range: NumberRange): SearchFilter => {
  const open = toSearchFilter({});
  return { ...open, ranges: { ...open.ranges, [field]: range } };
};

describe('the codes of values', () => {
  it('rise with the value and distinguish a snap point from the values beside it', () => {
    const snapPoints = Float64Array.of(-2, 0, 3);
    const values = [NaN, -3, -2, -1, 0, 2, 3, 4, Infinity];
    expect(values.map((value) => codeOf(snapPoints, value))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 7]);
    // Snap point 0 belongs to another scale.
    const intervals = intervalsByCode(snapPoints, [-2, 3]);
    expect([...intervals.subarray(0, 8)]).toEqual([5, 0, 1, 2, 2, 2, 3, 4]);
  });
});

describe('the buckets of values', () => {
  const bucketsFor = (
    values: readonly number[],
  ): Readonly<{ cuts: BucketCuts; sorted: Float64Array; order: Uint32Array }> => {
    const sorted = Float64Array.from(values).sort();
    const order = Uint32Array.from(sorted.keys());
    const finite = sorted.filter((value) => value < Infinity);
    const edges = computeEdges(facetRecord(() => finite));
    return { cuts: computeBucketCuts('totalPandlPercent', edges, order, sorted), sorted, order };
  };

  it('rise with the value and contain at most twice their share of rows', () => {
    const random = seededRandom(23);
    const values = Array.from({ length: 50_000 }, () => Math.exp(10 * random.next()));
    const { cuts, sorted, order } = bucketsFor([...values, NaN, Infinity]);
    expect(cuts.length).toBeLessThanOrEqual(253);
    const sizes = new Map<number, number>();
    let [before, wrong] = [0, 0];
    forEachBucket(cuts, order, sorted, (slot, bucket) => {
      const value = sorted[slot] ?? NaN;
      const falls = bucket < before && !Number.isNaN(value);
      if (falls || bucketOf(cuts, value) !== bucket) wrong++;
      before = bucket;
      sizes.set(bucket, (sizes.get(bucket) ?? 0) + 1);
    });
    expect(wrong).toBe(0);
    expect(Math.max(...sizes.values())).toBeLessThan((2 * 50_000) / 130);
    expect(bucketOf(cuts, Infinity)).toBeGreaterThan(bucketOf(cuts, Math.exp(10)));
  });

  it('give a value that many rows share a bucket of its own', () => {
    const random = seededRandom(24);
    const values = Array.from({ length: 20_000 }, () => (random.chance(0.4) ? 17 : 40 * random.next()));
    const { cuts, sorted, order } = bucketsFor(values);
    const inBucket = new Map<number, Set<number>>();
    forEachBucket(cuts, order, sorted, (slot, bucket) => {
      const own = inBucket.get(bucket) ?? new Set();
      inBucket.set(bucket, own.add(sorted[slot] ?? NaN));
    });
    expect([...(inBucket.get(bucketOf(cuts, 17)) ?? [])]).toEqual([17]);
    const starts = bucketStarts(cuts, order, sorted);
    const bucket = bucketOf(cuts, 17);
    expect([starts[bucket], starts[bucket + 1]]).toEqual([sorted.indexOf(17), sorted.lastIndexOf(17) + 1]);
  });
});

describe('ranges over buckets', () => {
  it('are exact on every edge, on every snap point and right beside them', async () => {
    const random = seededRandom(21);
    const engine = createColumnarEngine();
    const base = Array.from({ length: 60 }, (_, at) => rowWith(random, at, () => random.below(5_000) / 4));
    await engine.load(base);
    const edges = await engine.computeEdges(1);
    const marks = facetRecord((field) =>
      snapPointsOnScale(field, 'linear', edges.edges).flatMap((snapPoint) => [
        neighbour(snapPoint, -1),
        snapPoint,
        neighbour(snapPoint, 1),
      ]),
    );
    const maxLength = Math.max(...facetFields.map((field) => marks[field].length));
    const rows = Array.from({ length: maxLength }, (_, at) =>
      rowWith(random, at, (field) => marks[field][at] ?? null),
    );
    await engine.load(rows, { edges });
    for (const field of facetFields) {
      for (let round = 0; round < 25; round++) {
        const [a, b] = [random.pick(marks[field]), random.pick(marks[field])];
        const range = { low: Math.min(a, b), high: Math.max(a, b) };
        const { total } = await engine.search({ filter: ranged(field, range) });
        const inside = marks[field].filter((value) => value >= range.low && value <= range.high);
        expect([field, range, total]).toEqual([field, range, inside.length]);
      }
    }
  });

  it('are exact where many values share a bucket', async () => {
    const random = seededRandom(22);
    const engine = createColumnarEngine();
    // All different, and more than there are cuts; then more that fall between them.
    const values = Array.from({ length: 20_000 }, (_, at) => at + random.next());
    const later = Array.from({ length: 500 }, () => 10_000 + random.next());
    const asRow = (value: number, at: number): ExplorerRow =>
      rowWith(random, at, () => (value > 19_990 ? Infinity : value));
    await engine.load(values.map(asRow));
    await engine.apply(
      later.map((value, at) => ({ op: 'put', row: asRow(value, values.length + at) })),
      1n,
    );
    const all = [...values, ...later].map((value) => (value > 19_990 ? Infinity : value));
    for (let round = 0; round < 60; round++) {
      const low = random.chance(0.5) ? 10_000 + random.next() : random.pick(all);
      const high = random.chance(0.2) ? Infinity : low + random.next() * random.pick([0, 0.1, 3, 9_000]);
      const bounds = random.chance(0.1) ? { low: high, high: low } : { low, high };
      const inside = all.filter((value) => value >= bounds.low && value <= bounds.high);
      const { total } = await engine.search({ filter: ranged('totalPandlPercent', bounds) });
      expect([bounds, total]).toEqual([bounds, inside.length]);
    }
  });
});
