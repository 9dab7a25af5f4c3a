import { describe, expect, it } from '@jest/globals';
import { barHeight, barsPath, litSegments } from './bars.ts';

describe('barHeight', () => {
  it('is 1 for the maximum, 0 for 0, and logarithmic between them', () => {
    expect([barHeight(500, 500), barHeight(0, 500), barHeight(0, 0)]).toEqual([1, 0, 0]);
    expect(barHeight(50, 500)).toBeCloseTo(Math.log1p(1.2) / Math.log1p(12), 9);
  });
});

describe('barsPath', () => {
  it('has one stroke for each bin, also for an empty bin', () => {
    expect(barsPath([0, 1, 1_000], 1_000)).toBe('M0.5 100v0M1.5 100v-3M2.5 100v-100');
    expect(barsPath([], 0)).toBe('');
  });
});

describe('litSegments', () => {
  const edges = [0, 10, 20, 30, 40];
  it('lights the segments up to the bin of the value; the outer bins are open-ended', () => {
    expect([-5, 0, 9.9, 10, 39, 40, 154, Infinity].map((value) => litSegments(edges, value))).toEqual([
      1, 1, 1, 2, 4, 4, 4, 4,
    ]);
  });

  it('lights no segment without edges', () => {
    expect(litSegments([], 5)).toBe(0);
  });
});
