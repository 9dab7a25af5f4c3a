import { describe, expect, it } from '@jest/globals';
import { packSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import type { Bounds } from '@tapedeck/search-engine/contract';
import fc from 'fast-check';
import {
  countRange,
  readSlice,
  type BrushIntervals,
  type RangeResult,
  type KnownRange,
} from './brush-slice.ts';

/** Sharpe is the active field, likes the only other one; null is unknown. `fails`: the row fails a range of likes. */
type Row = Readonly<{ sharpe: number | null; likes: number | null; fails: boolean }>;

const edges = [0, 10, 20];
const snapPoints = [0, 5, 10, 15, 20];
const likesEdges = [0, 3, 6, 9];

const intervalOf = ({ sharpe }: Row): number => {
  if (sharpe === null) return 2 * snapPoints.length + 1;
  const below = snapPoints.filter((snapPoint) => snapPoint < sharpe).length;
  return snapPoints.includes(sharpe) ? 2 * below + 1 : 2 * below;
};
const likesBin = ({ likes }: Row): number =>
  likes === null ? 3 : Math.max(0, likesEdges.slice(0, -1).filter((edge) => edge <= likes).length - 1);
const sharpeBin = (sharpe: number): number => (sharpe < 10 ? 0 : 1);

const sliceOf = (rows: readonly Row[]): BrushSlice => {
  const intervals = 2 * snapPoints.length + 2;
  const hits = new Uint32Array(intervals);
  const counts = new Uint32Array(intervals * 4);
  for (const row of rows) {
    const at = intervalOf(row) * 4 + likesBin(row);
    counts[at] = (counts[at] ?? 0) + 1;
    if (!row.fails) hits[intervalOf(row)] = (hits[intervalOf(row)] ?? 0) + 1;
  }
  return {
    field: 'sharpeRatio',
    scale: 'linear',
    snapPoints,
    ...packSlice({ hits, facets: [{ field: 'likes', scale: 'quantile', bins: 3, counts }] }),
    meta: { position: '1', demo: false },
  };
};

const intervalsOf = (rows: readonly Row[]): BrushIntervals => {
  const intervals = readSlice(sliceOf(rows), edges);
  if (!intervals) throw new Error('The slice does not fit the edges.');
  return intervals;
};

const passes = ({ sharpe }: Row, { low, high }: Bounds): boolean =>
  (low === null && high === null) ||
  (sharpe !== null && sharpe >= (low ?? -Infinity) && sharpe <= (high ?? Infinity));

const countBins = (bins: readonly number[], size: number): readonly number[] =>
  Array.from({ length: size }, (_, bin) => bins.filter((one) => one === bin).length);

const rows: fc.Arbitrary<readonly Row[]> = fc.array(
  fc.record({
    sharpe: fc.option(fc.integer({ min: -3, max: 24 }), { freq: 8 }),
    likes: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 8 }),
    fails: fc.boolean(),
  }),
  { maxLength: 60 },
);
const bound = fc.option(fc.integer({ min: -3, max: 24 }));
const bounds: fc.Arbitrary<Bounds> = fc
  .tuple(bound, bound)
  .map(([one, other]) =>
    one !== null && other !== null && one > other ? { low: other, high: one } : { low: one, high: other },
  );

type Counted = Readonly<{ total: number; likes: readonly number[] }>;

const countRows = (rows: readonly Row[], bounds: Bounds): Counted => {
  const inside = rows.filter((row) => passes(row, bounds));
  return { total: inside.filter(({ fails }) => !fails).length, likes: countBins(inside.map(likesBin), 4) };
};
const plainResult = ({ total, countsOf }: RangeResult): Counted => {
  const { counts, unknown } = countsOf('likes');
  return { total, likes: [...Array.from(counts), unknown] };
};
const answerFor = (rows: readonly Row[], bounds: Bounds): KnownRange => {
  const { total, likes } = countRows(rows, bounds);
  return { bounds, total, countsOf: () => ({ counts: likes.slice(0, 3), unknown: likes[3] ?? 0 }) };
};

describe('countRange', () => {
  it('gives the same result as a scan of all rows, or null', () => {
    fc.assert(
      fc.property(rows, bounds, (rows, bounds) => {
        const result = countRange(intervalsOf(rows), bounds, null);
        if (result) expect(plainResult(result)).toEqual(countRows(rows, bounds));
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same result when it continues from a known range', () => {
    fc.assert(
      fc.property(rows, bounds, bound, fc.boolean(), (rows, before, moved, isLow) => {
        const after = isLow ? { ...before, low: moved } : { ...before, high: moved };
        if (after.low !== null && after.high !== null && after.low > after.high) return;
        const result = countRange(intervalsOf(rows), after, answerFor(rows, before));
        if (result) expect(plainResult(result)).toEqual(countRows(rows, after));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives a result for every range between snap points and open ends', () => {
    const snapPoint = fc.option(fc.constantFrom(...snapPoints));
    fc.assert(
      fc.property(rows, snapPoint, snapPoint, (rows, one, other) => {
        const ordered = one === null || other === null || one <= other;
        const bounds = { low: ordered ? one : other, high: ordered ? other : one };
        expect(countRange(intervalsOf(rows), bounds, null)).not.toBeNull();
      }),
    );
  });

  it('gives a result for a bound between two snap points only if a known range has the same bound', () => {
    const rows = [6, 8, 12, 17, null].map((sharpe) => ({ sharpe, likes: 1, fails: false }));
    const intervals = intervalsOf(rows);
    expect(countRange(intervals, { low: 7, high: null }, null)).toBeNull();
    expect(countRange(intervals, { low: null, high: 7 }, null)).toBeNull();
    expect(countRange(intervals, { low: 21, high: 23 }, null)?.total).toBe(0);
    const known = answerFor(rows, { low: 7, high: null });
    expect(countRange(intervals, { low: 7, high: 15 }, known)?.total).toBe(2);
    expect(countRange(intervals, { low: 7, high: 13 }, known)).toBeNull();
    expect(countRange(intervals, { low: 7.5, high: 15 }, known)).toBeNull();
    const both = answerFor(rows, { low: 10, high: 16 });
    expect(countRange(intervals, { low: 5, high: 16 }, both)?.total).toBe(3);
    expect(countRange(intervals, { low: 15, high: 16 }, both)?.total).toBe(0);
  });
});

describe('the active field', () => {
  it('has the same histogram for every range of its own', () => {
    fc.assert(
      fc.property(rows, (rows) => {
        const { own } = intervalsOf(rows);
        const hits = rows.filter(({ fails }) => !fails);
        const known = hits.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpeBin(sharpe)]));
        expect(own.counts).toEqual(countBins(known, 2));
        expect(own.unknown).toBe(hits.length - known.length);
      }),
    );
  });
});

describe('readSlice', () => {
  it('returns null for a histogram with other edges', () => {
    expect(readSlice(sliceOf([]), [0, 12, 20])).toBeNull();
  });

  it('throws if counts are missing', () => {
    const slice = sliceOf([]);
    expect(() => readSlice({ ...slice, snapPoints: [...snapPoints, 25] }, edges)).toThrow(/Packed counts/);
  });
});
