import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BrushSlice } from './answers.ts';
import { packSlice, unpackSlice, type SliceCounts } from './brush-codec.ts';

const sliceOf = (counts: SliceCounts, snapPoints: number): BrushSlice => ({
  field: 'likes',
  scale: 'linear',
  snapPoints: Array.from({ length: snapPoints }, (_, at) => at),
  ...packSlice(counts),
  meta: { position: '0', demo: false },
});

const count = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(200) },
  { weight: 1, arbitrary: fc.nat(4_294_967_295) },
);

const counts = fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 4 })).chain(([snapPoints, bins]) => {
  const intervals = 2 * snapPoints + 2;
  const array = (length: number): fc.Arbitrary<Uint32Array> =>
    fc.array(count, { minLength: length, maxLength: length }).map((values) => Uint32Array.from(values));
  return fc.record({
    snapPoints: fc.constant(snapPoints),
    hits: array(intervals),
    facets: fc.array(
      fc.record({
        field: fc.constant('views' as const),
        scale: fc.constant('log' as const),
        bins: fc.constant(bins),
        counts: array(intervals * (bins + 1)),
      }),
      { maxLength: 2 },
    ),
  });
});

describe('packSlice and unpackSlice', () => {
  it('restore the counts from characters that JSON and headers do not escape', () => {
    fc.assert(
      fc.property(counts, ({ snapPoints, hits, facets }) => {
        const slice = sliceOf({ hits, facets }, snapPoints);
        expect(unpackSlice(JSON.parse(JSON.stringify(slice)) as BrushSlice)).toEqual({ hits, facets });
        for (const text of [slice.hits, ...slice.facets.map((facet) => facet.counts)]) {
          expect(text).toMatch(/^[A-Za-z0-9+/]*$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('use one character for an expected count and none for intervals without rows', () => {
    const intervals = 20;
    const width = 41;
    const hits = Uint32Array.from({ length: intervals }, (_, interval) => (interval % 2) * 41_000);
    const facet = { field: 'views', scale: 'log', bins: width - 1 } as const;
    const even = Uint32Array.from(
      { length: intervals * width },
      (_, at) => (Math.floor(at / width) % 2) * 1_000,
    );
    const [text] = packSlice({ hits, facets: [{ ...facet, counts: even }] }).facets.map((one) => one.counts);
    // A sign for each interval's difference, three digits for each bin's sum, and a sign for each count in ten intervals.
    expect(text?.length).toBe(intervals + 3 * width + 10 * width);
  });

  it.each([
    ['too few digits', (text: string) => text.slice(0, -1)],
    ['too many digits', (text: string) => `${text}A`],
    ['a sign that is no digit', (text: string) => `-${text.slice(1)}`],
    ['a number without its end', (text: string) => `${text.slice(0, -1)}z`],
  ])('refuse text with %s', (_, damage) => {
    const facets = [{ field: 'views', scale: 'log', bins: 1, counts: Uint32Array.of(1, 2, 3, 4) }] as const;
    const slice = sliceOf({ hits: Uint32Array.of(3, 7), facets }, 0);
    const damaged = slice.facets.map((facet) => ({ ...facet, counts: damage(facet.counts) }));
    expect(() => unpackSlice({ ...slice, facets: damaged })).toThrow('Packed counts');
    expect(() => unpackSlice({ ...slice, hits: damage(slice.hits) })).toThrow('Packed counts');
  });
});
