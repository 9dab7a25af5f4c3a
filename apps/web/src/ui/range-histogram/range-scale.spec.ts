import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  binOf,
  maxOfScale,
  minOfScale,
  nearestSnapPoint,
  stepValue,
  positionOf,
  roundValue,
  ticks,
  valueAt,
  type RangeScale,
} from './range-scale.ts';

const scales: fc.Arbitrary<RangeScale> = fc
  .record({
    values: fc.array(fc.double({ min: -1_000, max: 3e8, noNaN: true }), { minLength: 2, maxLength: 41 }),
    isSymlog: fc.boolean(),
  })
  .map(({ values, isSymlog }) => ({ edges: values.sort((a, b) => a - b), isSymlog, decimals: 2, step: 1 }));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const quantile: RangeScale = { edges: [-100, -20, 0, 10, 100, 3e8], isSymlog: true, decimals: 0, step: 1 };

describe('positionOf', () => {
  it('puts every edge on the start of its bin and stays between 0 and 1', () => {
    expect([-100, -20, 0, 10, 100, 3e8].map((edge) => positionOf(quantile, edge))).toEqual([
      0, 0.2, 0.4, 0.6, 0.8, 1,
    ]);
    expect([positionOf(quantile, -5_000), positionOf(quantile, 1e12)]).toEqual([0, 1]);
  });

  it('never falls as the value rises', () => {
    const value = fc.double({ min: -2_000, max: 4e8, noNaN: true });
    fc.assert(
      fc.property(scales, value, value, (scale, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(positionOf(scale, low)).toBeLessThanOrEqual(positionOf(scale, high) + 1e-12);
      }),
    );
  });
});

describe('valueAt', () => {
  it('never falls as the position rises and stays between the ends of the scale', () => {
    fc.assert(
      fc.property(scales, share, share, (scale, one, other) => {
        const [left, right] = [Math.min(one, other), Math.max(one, other)];
        const [low, high] = [valueAt(scale, left), valueAt(scale, right)];
        const slack = 1e-6 * Math.max(1, Math.abs(low), Math.abs(high));
        expect(low).toBeLessThanOrEqual(high + slack);
        expect(low).toBeGreaterThanOrEqual(minOfScale(scale) - slack);
        expect(high).toBeLessThanOrEqual(maxOfScale(scale) + slack);
      }),
    );
  });

  it('is the inverse of positionOf wherever a bin has width', () => {
    const distinct = scales.filter(({ edges }) =>
      edges.every((edge, at) => at === 0 || edge - (edges[at - 1] ?? 0) > 1),
    );
    fc.assert(
      fc.property(distinct, share, (scale, position) => {
        expect(positionOf(scale, valueAt(scale, position))).toBeCloseTo(position, 4);
      }),
    );
  });
});

describe('nearestSnapPoint', () => {
  it('returns the snap point with the smallest distance on the track', () => {
    const snapPoints = [-100, -60, -20, 0, 3, 10, 3e8];
    fc.assert(
      fc.property(share, (position) => {
        const nearest = nearestSnapPoint(quantile, snapPoints, position);
        const distance = (snapPoint: number): number => Math.abs(positionOf(quantile, snapPoint) - position);
        expect(distance(nearest)).toBeCloseTo(Math.min(...snapPoints.map(distance)), 12);
      }),
    );
  });

  it('returns the only snap point for every position', () => {
    expect([0, 0.5, 1].map((position) => nearestSnapPoint(quantile, [10], position))).toEqual([10, 10, 10]);
  });
});

describe('binOf', () => {
  it('counts outer values in the outer bins and an edge in the bin that begins there', () => {
    expect([-500, -100, -20, 9.99, 10, 3e8, 9e9].map((value) => binOf(quantile.edges, value))).toEqual([
      0, 0, 1, 2, 3, 4, 4,
    ]);
    expect(binOf([0, 0, 0, 5, 9], 0)).toBe(2);
  });
});

describe('roundValue', () => {
  it('keeps at most three significant digits and the given decimals', () => {
    expect([
      roundValue(38.461, 0),
      roundValue(1_234.5, 0),
      roundValue(123_456_789, 0),
      roundValue(-0.2, 0),
    ]).toEqual([38, 1_230, 123_000_000, 0]);
    expect([roundValue(1.23456, 2), roundValue(12.3456, 2), roundValue(0.004, 2)]).toEqual([1.23, 12.3, 0]);
  });

  it('never changes the order of two values', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 2 }), (one, other, decimals) => {
        expect(roundValue(Math.min(one, other), decimals)).toBeLessThanOrEqual(
          roundValue(Math.max(one, other), decimals),
        );
      }),
    );
  });
});

describe('stepValue', () => {
  it('goes to the next multiple first, then from multiple to multiple', () => {
    expect([
      stepValue(-85.75, 1, 1),
      stepValue(-85, 1, 1),
      stepValue(38.46, 1, -1),
      stepValue(7, 1, 10),
    ]).toEqual([-85, -84, 38, 17]);
    expect([stepValue(0.7, 0.1, 1), stepValue(1.42, 0.01, -10), stepValue(30, 100, 1)]).toEqual([
      0.8, 1.32, 100,
    ]);
  });
});

describe('ticks', () => {
  it('are round values with a minimum distance', () => {
    const labels = ticks(quantile);
    expect(labels.map(({ value }) => value)).toContain(0);
    const positions = labels.map(({ position }) => position).sort((a, b) => a - b);
    expect(positions.slice(1).every((position, index) => position - (positions[index] ?? 0) >= 0.14)).toBe(
      true,
    );
  });

  it('have equal distances on a linear scale', () => {
    const even: RangeScale = { edges: [0, 22, 44, 66, 88], isSymlog: false, decimals: 0, step: 1 };
    expect(ticks(even).map(({ value }) => value)).toEqual([20, 40, 60, 80]);
  });

  it('are empty when all edges are equal', () => {
    expect(ticks({ ...quantile, edges: [5, 5, 5] })).toEqual([]);
  });
});
