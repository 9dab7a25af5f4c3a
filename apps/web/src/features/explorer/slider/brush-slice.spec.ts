import { describe, expect, it } from '@jest/globals';
import { packSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import fc from 'fast-check';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { foundIn, readSlice, type BrushCells, type Found, type KnownRange } from './brush-slice.ts';

/** Sharpe is the active figure, likes the only other; null is unknown. `fails` is a range of likes that is not met. */
type Row = Readonly<{ sharpe: number | null; likes: number | null; fails: boolean }>;

const edges = [0, 10, 20];
const stops = [0, 5, 10, 15, 20];
const likesEdges = [0, 3, 6, 9];

const cellOf = ({ sharpe }: Row): number => {
  if (sharpe === null) return 2 * stops.length + 1;
  const below = stops.filter((stop) => stop < sharpe).length;
  return stops.includes(sharpe) ? 2 * below + 1 : 2 * below;
};
const likesBin = ({ likes }: Row): number =>
  likes === null ? 3 : Math.max(0, likesEdges.slice(0, -1).filter((edge) => edge <= likes).length - 1);
const sharpeBin = (sharpe: number): number => (sharpe < 10 ? 0 : 1);

const sliceOf = (rows: readonly Row[]): BrushSlice => {
  const cells = 2 * stops.length + 2;
  const hits = new Uint32Array(cells);
  const counts = new Uint32Array(cells * 4);
  for (const row of rows) {
    const at = cellOf(row) * 4 + likesBin(row);
    counts[at] = (counts[at] ?? 0) + 1;
    if (!row.fails) hits[cellOf(row)] = (hits[cellOf(row)] ?? 0) + 1;
  }
  return {
    field: 'sharpeRatio',
    scale: 'linear',
    stops,
    ...packSlice({ hits, facets: [{ field: 'likes', scale: 'quantile', bins: 3, counts }] }),
    meta: { position: '1', demo: false },
  };
};

const ready = (rows: readonly Row[]): BrushCells => {
  const cells = readSlice(sliceOf(rows), edges);
  if (!cells) throw new Error('The slice does not fit its edges.');
  return cells;
};

const passes = ({ sharpe }: Row, { low, high }: Bounds): boolean =>
  (low === null && high === null) ||
  (sharpe !== null && sharpe >= (low ?? -Infinity) && sharpe <= (high ?? Infinity));

const tally = (bins: readonly number[], size: number): readonly number[] =>
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

const lookedAt = (rows: readonly Row[], bounds: Bounds): Counted => {
  const inside = rows.filter((row) => passes(row, bounds));
  return { total: inside.filter(({ fails }) => !fails).length, likes: tally(inside.map(likesBin), 4) };
};
const read = ({ total, countsOf }: Found): Counted => {
  const { counts, unknown } = countsOf('likes');
  return { total, likes: [...Array.from(counts), unknown] };
};
const answerFor = (rows: readonly Row[], bounds: Bounds): KnownRange => {
  const { total, likes } = lookedAt(rows, bounds);
  return { bounds, total, countsOf: () => ({ counts: likes.slice(0, 3), unknown: likes[3] ?? 0 }) };
};

describe('a range of a slice', () => {
  it('finds what looking at every row finds, or says that it does not know', () => {
    fc.assert(
      fc.property(rows, bounds, (rows, bounds) => {
        const found = foundIn(ready(rows), bounds, null);
        if (found) expect(read(found)).toEqual(lookedAt(rows, bounds));
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts on from an answer, and finds the same', () => {
    fc.assert(
      fc.property(rows, bounds, bound, fc.boolean(), (rows, before, moved, isLow) => {
        const after = isLow ? { ...before, low: moved } : { ...before, high: moved };
        if (after.low !== null && after.high !== null && after.low > after.high) return;
        const found = foundIn(ready(rows), after, answerFor(rows, before));
        if (found) expect(read(found)).toEqual(lookedAt(rows, after));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is always known between stops and open ends', () => {
    const stop = fc.option(fc.constantFrom(...stops));
    fc.assert(
      fc.property(rows, stop, stop, (rows, one, other) => {
        const ordered = one === null || other === null || one <= other;
        const bounds = { low: ordered ? one : other, high: ordered ? other : one };
        expect(foundIn(ready(rows), bounds, null)).not.toBeNull();
      }),
    );
  });

  it('that divides rows between two stops is known only where that bound is known already', () => {
    const rows = [6, 8, 12, 17, null].map((sharpe) => ({ sharpe, likes: 1, fails: false }));
    const cells = ready(rows);
    expect(foundIn(cells, { low: 7, high: null }, null)).toBeNull();
    expect(foundIn(cells, { low: null, high: 7 }, null)).toBeNull();
    expect(foundIn(cells, { low: 21, high: 23 }, null)?.total).toBe(0);
    const known = answerFor(rows, { low: 7, high: null });
    expect(foundIn(cells, { low: 7, high: 15 }, known)?.total).toBe(2);
    expect(foundIn(cells, { low: 7, high: 13 }, known)).toBeNull();
    expect(foundIn(cells, { low: 7.5, high: 15 }, known)).toBeNull();
    const both = answerFor(rows, { low: 10, high: 16 });
    expect(foundIn(cells, { low: 5, high: 16 }, both)?.total).toBe(3);
    expect(foundIn(cells, { low: 15, high: 16 }, both)?.total).toBe(0);
  });
});

describe('the active field', () => {
  it('keeps its own bars, whatever its range', () => {
    fc.assert(
      fc.property(rows, (rows) => {
        const { own } = ready(rows);
        const hits = rows.filter(({ fails }) => !fails);
        const known = hits.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpeBin(sharpe)]));
        expect(own.counts).toEqual(tally(known, 2));
        expect(own.unknown).toBe(hits.length - known.length);
      }),
    );
  });
});

describe('a slice', () => {
  it('of other edges than those drawn is none', () => {
    expect(readSlice(sliceOf([]), [0, 12, 20])).toBeNull();
  });

  it('with too few counts is refused', () => {
    const slice = sliceOf([]);
    expect(() => readSlice({ ...slice, stops: [...stops, 25] }, edges)).toThrow(/Packed counts/);
  });
});
