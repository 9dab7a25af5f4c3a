import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { drawnRows, rowStarts } from './drawn-rows.ts';

describe('drawnRows', () => {
  const starts = rowStarts([10, 20, 30, 40, 50]);

  it('are those in the viewport, with gaps for the others', () => {
    expect(drawnRows(starts, { top: 15, bottom: 35 }, null)).toEqual({
      rows: [
        { index: 1, gapPx: 10 },
        { index: 2, gapPx: 0 },
      ],
      endGapPx: 90,
    });
  });

  it('contain the row that is kept, before or behind them', () => {
    expect(drawnRows(starts, { top: 65, bottom: 70 }, 0).rows).toEqual([
      { index: 0, gapPx: 0 },
      { index: 3, gapPx: 50 },
    ]);
    expect(drawnRows(starts, { top: 0, bottom: 5 }, 4)).toEqual({
      rows: [
        { index: 0, gapPx: 0 },
        { index: 4, gapPx: 90 },
      ],
      endGapPx: 0,
    });
    expect(drawnRows(starts, { top: 0, bottom: 5 }, 5).rows).toHaveLength(1);
  });

  it('are none of an empty list', () => {
    expect(drawnRows(rowStarts([]), { top: 0, bottom: 500 }, 3)).toEqual({ rows: [], endGapPx: 0 });
  });

  it('fill the height of all rows and cover the viewport, in the order of the rows', () => {
    const heights = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });
    const px = fc.integer({ min: -500, max: 20_000 });
    fc.assert(
      fc.property(heights, px, fc.nat(2_000), fc.option(fc.nat(59)), (all, top, size, kept) => {
        const starts = rowStarts(all);
        const { rows, endGapPx } = drawnRows(starts, { top, bottom: top + size }, kept);
        const drawn = rows.reduce((sum, { index, gapPx }) => sum + gapPx + (all[index] ?? 0), 0);
        expect(drawn + endGapPx).toBe(starts.at(-1));
        const indexes = rows.map(({ index }) => index);
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
        all.forEach((height, index) => {
          const start = starts[index] ?? 0;
          if (start < top + size && start + height > top) expect(indexes).toContain(index);
        });
      }),
    );
  });
});
