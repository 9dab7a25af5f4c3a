import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  binOf,
  highest,
  lowest,
  nearestStop,
  nudged,
  place,
  rounded,
  ticks,
  valueAt,
  type RangeScale,
} from './range-scale.ts';

const scales: fc.Arbitrary<RangeScale> = fc
  .record({
    values: fc.array(fc.double({ min: -1_000, max: 3e8, noNaN: true }), { minLength: 2, maxLength: 41 }),
    bend: fc.boolean(),
  })
  .map(({ values, bend }) => ({ edges: values.sort((a, b) => a - b), bend, digits: 2, step: 1 }));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const quantile: RangeScale = { edges: [-100, -20, 0, 10, 100, 3e8], bend: true, digits: 0, step: 1 };

describe('place', () => {
  it('puts every edge on its bin and stays inside the plot', () => {
    expect([-100, -20, 0, 10, 100, 3e8].map((edge) => place(quantile, edge))).toEqual([
      0, 0.2, 0.4, 0.6, 0.8, 1,
    ]);
    expect([place(quantile, -5_000), place(quantile, 1e12)]).toEqual([0, 1]);
  });

  it('never falls as the value rises', () => {
    const value = fc.double({ min: -2_000, max: 4e8, noNaN: true });
    fc.assert(
      fc.property(scales, value, value, (scale, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(place(scale, low)).toBeLessThanOrEqual(place(scale, high) + 1e-12);
      }),
    );
  });
});

describe('valueAt', () => {
  it('never falls along the plot and stays between the ends', () => {
    fc.assert(
      fc.property(scales, share, share, (scale, one, other) => {
        const [left, right] = [Math.min(one, other), Math.max(one, other)];
        const [low, high] = [valueAt(scale, left), valueAt(scale, right)];
        const slack = 1e-6 * Math.max(1, Math.abs(low), Math.abs(high));
        expect(low).toBeLessThanOrEqual(high + slack);
        expect(low).toBeGreaterThanOrEqual(lowest(scale) - slack);
        expect(high).toBeLessThanOrEqual(highest(scale) + slack);
      }),
    );
  });

  it('is where place leads back to, wherever a bin has width', () => {
    const distinct = scales.filter(({ edges }) =>
      edges.every((edge, at) => at === 0 || edge - (edges[at - 1] ?? 0) > 1),
    );
    fc.assert(
      fc.property(distinct, share, (scale, position) => {
        expect(place(scale, valueAt(scale, position))).toBeCloseTo(position, 4);
      }),
    );
  });
});

describe('nearestStop', () => {
  it('is none further along the plot than any other', () => {
    const stops = [-100, -60, -20, 0, 3, 10, 3e8];
    fc.assert(
      fc.property(share, (position) => {
        const near = nearestStop(quantile, stops, position);
        const away = (stop: number): number => Math.abs(place(quantile, stop) - position);
        expect(away(near)).toBeCloseTo(Math.min(...stops.map(away)), 12);
      }),
    );
  });

  it('is the only one where there is but one', () => {
    expect([0, 0.5, 1].map((position) => nearestStop(quantile, [10], position))).toEqual([10, 10, 10]);
  });
});

describe('binOf', () => {
  it('keeps outer values in the open bins and edges in the bin they open', () => {
    expect([-500, -100, -20, 9.99, 10, 3e8, 9e9].map((value) => binOf(quantile.edges, value))).toEqual([
      0, 0, 1, 2, 3, 4, 4,
    ]);
    expect(binOf([0, 0, 0, 5, 9], 0)).toBe(2);
  });
});

describe('rounded', () => {
  it('writes what a person would', () => {
    expect([rounded(38.461, 0), rounded(1_234.5, 0), rounded(123_456_789, 0), rounded(-0.2, 0)]).toEqual([
      38, 1_230, 123_000_000, 0,
    ]);
    expect([rounded(1.23456, 2), rounded(12.3456, 2), rounded(0.004, 2)]).toEqual([1.23, 12.3, 0]);
  });

  it('never turns two values around', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 2 }), (one, other, digits) => {
        expect(rounded(Math.min(one, other), digits)).toBeLessThanOrEqual(
          rounded(Math.max(one, other), digits),
        );
      }),
    );
  });
});

describe('nudged', () => {
  it('goes to the next multiple first, then from one to the next', () => {
    expect([nudged(-85.75, 1, 1), nudged(-85, 1, 1), nudged(38.46, 1, -1), nudged(7, 1, 10)]).toEqual([
      -85, -84, 38, 17,
    ]);
    expect([nudged(0.7, 0.1, 1), nudged(1.42, 0.01, -10), nudged(30, 100, 1)]).toEqual([0.8, 1.32, 100]);
  });
});

describe('ticks', () => {
  it('are round, ascending in place when sorted, and apart', () => {
    const shown = ticks(quantile);
    expect(shown.map(({ value }) => value)).toContain(0);
    const places = shown.map(({ at }) => at).sort((a, b) => a - b);
    expect(places.slice(1).every((at, before) => at - (places[before] ?? 0) >= 0.14)).toBe(true);
  });

  it('step evenly on an even scale', () => {
    const even: RangeScale = { edges: [0, 22, 44, 66, 88], bend: false, digits: 0, step: 1 };
    expect(ticks(even).map(({ value }) => value)).toEqual([20, 40, 60, 80]);
  });

  it('are none where all values are one', () => {
    expect(ticks({ ...quantile, edges: [5, 5, 5] })).toEqual([]);
  });
});
