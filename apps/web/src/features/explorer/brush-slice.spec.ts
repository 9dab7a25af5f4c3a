import { describe, expect, it } from '@jest/globals';
import { packSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import fc from 'fast-check';
import type { Bounds } from '../../ui/range-thumbs.ts';
import { countsIn, readSlice, spanOf, totalIn, type BrushCells } from './brush-slice.ts';

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

describe('a range of a slice', () => {
  it('finds what looking at every row finds, or says that it does not know', () => {
    fc.assert(
      fc.property(rows, bounds, (rows, bounds) => {
        const cells = ready(rows);
        const span = spanOf(cells, bounds);
        if (!span) return;
        const inside = rows.filter((row) => passes(row, bounds));
        expect(totalIn(cells, span)).toBe(inside.filter(({ fails }) => !fails).length);
        const likes = countsIn(cells, 'likes', span);
        expect([...Array.from(likes.counts), likes.unknown]).toEqual(tally(inside.map(likesBin), 4));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is always known between stops and open ends', () => {
    const stop = fc.option(fc.constantFrom(...stops));
    fc.assert(
      fc.property(rows, stop, stop, (rows, one, other) => {
        const ordered = one === null || other === null || one <= other;
        expect(
          spanOf(ready(rows), { low: ordered ? one : other, high: ordered ? other : one }),
        ).not.toBeNull();
      }),
    );
  });

  it('that divides rows between two stops is not known', () => {
    const cells = ready([{ sharpe: 7, likes: 1, fails: true }]);
    expect(spanOf(cells, { low: 6, high: null })).toBeNull();
    expect(spanOf(cells, { low: null, high: 8 })).toBeNull();
    expect(spanOf(cells, { low: 11, high: 13 })).not.toBeNull();
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
