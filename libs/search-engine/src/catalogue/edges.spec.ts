import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scales } from './facet-row.ts';
import { facetFields, facetRecord, facets } from './facets.ts';
import { computeEdges, edgesOutgrown, type EdgeSet, type FacetEdges } from './edges.ts';

const edgesFor = (values: readonly number[]): FacetEdges => {
  const sorted = Float64Array.from(values).sort();
  return computeEdges(facetRecord(() => sorted));
};

const countIn = (edges: readonly number[], values: readonly number[]): readonly number[] =>
  edges.slice(0, -1).map((low, bin) => {
    const high = bin === edges.length - 2 ? Infinity : (edges[bin + 1] ?? 0);
    return values.filter((value) => (bin === 0 || value >= low) && value < high).length;
  });

describe('edges of a catalogue', () => {
  const figure = fc.oneof(
    fc.integer({ min: -100, max: 300_000_000 }),
    fc.integer({ min: 0, max: 6 }),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    fc.constantFrom(0, 1, 1 + Number.EPSILON, -100, 3e8),
  );

  it('are one more than the field has bins, finite and strictly increasing', () => {
    fc.assert(
      fc.property(fc.array(figure, { maxLength: 300 }), (values) => {
        const edges = edgesFor(values);
        for (const field of facetFields) {
          for (const scale of scales) {
            const own = edges[field][scale];
            expect(own).toHaveLength(facets[field].bins + 1);
            expect(own.every(Number.isFinite)).toBe(true);
            expect(own.every((edge, i) => i === 0 || edge > (own[i - 1] ?? 0))).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are round numbers on the linear scale and leave the tails to the end bins', () => {
    const values = [...Array.from({ length: 1_000 }, (_, i) => i / 10), 5_000, 90_000];
    const { linear } = edgesFor(values).maxDrawdownPercent;
    expect(linear).toEqual(Array.from({ length: 41 }, (_, i) => i * 2.5));
  });

  it('are whole numbers on the linear scale of a count', () => {
    const { linear } = edgesFor(Array.from({ length: 54 }, (_, i) => i)).comments;
    expect(linear).toEqual(Array.from({ length: 21 }, (_, i) => i * 3));
  });

  it('divide the rows evenly on the quantile scale, even when many values are equal', () => {
    const values = [...Array.from({ length: 300 }, () => 0), ...Array.from({ length: 700 }, (_, i) => 1 + i)];
    const counts = countIn(edgesFor(values).likes.quantile, values);
    expect(counts[0]).toBe(300);
    expect(Math.min(...counts.slice(1))).toBeGreaterThan(10);
    expect(Math.max(...counts.slice(1))).toBeLessThan(30);
  });

  it('reach from the minimum to the maximum on the logarithmic scale, through zero', () => {
    const values = [-100, -3, 0, 2, 50, 300_000_000];
    const { log } = edgesFor(values).totalPandlPercent;
    expect([log[0], log.at(-1)]).toEqual([-100, 300_000_000]);
    expect(log.some((edge) => Math.abs(edge) < 2)).toBe(true);
  });

  it('are the defaults of the sliders while there is no value', () => {
    const edges = edgesFor([]);
    expect([edges.maxDrawdownPercent.linear[0], edges.maxDrawdownPercent.linear.at(-1)]).toEqual([0, 100]);
    expect([edges.sharpeRatio.linear[0], edges.sharpeRatio.linear.at(-1)]).toEqual([-5, 5]);
    expect(edges.totalPandlPercent.linear.slice(0, 3)).toEqual([-100, 0, 8_000_000]);
  });
});

describe('edgesOutgrown', () => {
  const edgeSet = (known: number): EdgeSet => ({
    version: 1,
    known: facetRecord(() => known),
    edges: edgesFor([]),
  });
  const outgrown = (before: number, now: number): boolean =>
    edgesOutgrown(
      edgeSet(before),
      facetRecord((field) => (field === 'likes' ? now : before)),
    );

  it('is true for the first values of a field, and when their number has doubled or halved', () => {
    expect(
      edgesOutgrown(
        null,
        facetRecord(() => 1),
      ),
    ).toBe(true);
    expect(outgrown(0, 1)).toBe(true);
    expect(outgrown(4_500, 9_000)).toBe(true);
    expect(outgrown(4_500, 2_250)).toBe(true);
  });

  it('is false after an import that changes little', () => {
    expect(outgrown(4_500, 5_400)).toBe(false);
    expect(outgrown(4_500, 4_500)).toBe(false);
    expect(outgrown(3, 8)).toBe(false);
    expect(
      edgesOutgrown(
        null,
        facetRecord(() => 0),
      ),
    ).toBe(false);
  });
});
