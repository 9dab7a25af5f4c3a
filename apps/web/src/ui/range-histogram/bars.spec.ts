import { describe, expect, it } from '@jest/globals';
import { barHeight, barsPath } from './bars.ts';
import { segmentsLit } from './segments.ts';

describe('barHeight', () => {
  it('is full for the most, none for none, and still seen for few', () => {
    expect([barHeight(500, 500), barHeight(0, 500), barHeight(0, 0)]).toEqual([1, 0, 0]);
    expect(barHeight(50, 500)).toBeCloseTo(Math.log1p(1.2) / Math.log1p(12), 9);
  });
});

describe('barsPath', () => {
  it('has one stroke for each bin, also for an empty one', () => {
    expect(barsPath([0, 1, 1_000], 1_000)).toBe('M0.5 100v0M1.5 100v-3M2.5 100v-100');
    expect(barsPath([], 0)).toBe('');
  });
});

describe('segmentsLit', () => {
  const edges = [0, 10, 20, 30, 40];
  it('lights up to the bin of the value, whose outer ones are open', () => {
    expect([-5, 0, 9.9, 10, 39, 40, 154, Infinity].map((value) => segmentsLit(edges, value))).toEqual([
      1, 1, 1, 2, 4, 4, 4, 4,
    ]);
  });

  it('lights nothing without thresholds', () => {
    expect(segmentsLit([], 5)).toBe(0);
  });
});
