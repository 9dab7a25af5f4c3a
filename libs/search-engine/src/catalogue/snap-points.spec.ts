import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { snapPointsOf } from './snap-points.ts';
import { scales } from './facet-row.ts';
import { facetFields, facetRecord, facets } from './facets.ts';
import { computeEdges } from './edges.ts';
import { roundToPrecision } from './precision.ts';

const figure = fc.oneof(
  fc.integer({ min: -100, max: 300_000_000 }),
  fc.integer({ min: 0, max: 6 }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.constantFrom(0, 0.001, 0.002, 1, -100, 3e8),
);

describe('the snap points of a slider', () => {
  it('ascend, contain every bin edge, and are otherwise possible figures', () => {
    fc.assert(
      fc.property(fc.array(figure, { maxLength: 300 }), (values) => {
        const edges = computeEdges(
          facetRecord((field) =>
            Float64Array.from(values, (value) => roundToPrecision(field, value) ?? 0).sort(),
          ),
        );
        for (const field of facetFields) {
          for (const scale of scales) {
            const own = edges[field][scale];
            const snapPoints = snapPointsOf(field, scale, own);
            expect(
              snapPoints.every((snapPoint, at) => at === 0 || snapPoint > (snapPoints[at - 1] ?? 0)),
            ).toBe(true);
            const all = new Set(snapPoints);
            expect(own.every((edge) => all.has(edge))).toBe(true);
            const added = snapPoints.filter((snapPoint) => !own.includes(snapPoint));
            expect(added.every((snapPoint) => roundToPrecision(field, snapPoint) === snapPoint)).toBe(true);
            expect(snapPoints.length).toBeLessThanOrEqual(81);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('divide each bin evenly along the scale, at readable numbers', () => {
    const halves = Array.from({ length: 21 }, (_, at) => at / 2);
    expect(snapPointsOf('profitFactor', 'linear', halves).slice(0, 6)).toEqual([
      0, 0.125, 0.25, 0.375, 0.5, 0.625,
    ]);
    const powers = Array.from({ length: facets.views.bins + 1 }, (_, at) => 4 ** at);
    expect(snapPointsOf('views', 'log', powers).slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  });

  it('are only the edges where no figure fits between them', () => {
    const ones = Array.from({ length: facets.likes.bins + 1 }, (_, at) => at);
    expect(snapPointsOf('likes', 'quantile', ones)).toEqual(ones);
  });
});
