import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roundToPrecision } from '@tapedeck/search-engine/catalogue';
import { facetFields } from '@tapedeck/search-engine/contract';
import { firstAtLeast, fromScaled, lastAtMost, scaledInfinity, toScaled } from './scaled-integers.ts';

const anyField = fc.constantFrom(...facetFields);
const small = fc.double({ min: -1_000, max: 1_000, noNaN: true });
const anyNumber = fc.oneof(small, fc.double({ noNaN: true }));

/** The next float below and the next float above. */
const neighbours = (value: number): readonly number[] => {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const at = bits.getBigInt64(0);
  return [at - 1n, at + 1n].map((next) => {
    bits.setBigInt64(0, next);
    return bits.getFloat64(0);
  });
};

describe('figures as scaled integers', () => {
  it('convert back to the same figure', () => {
    fc.assert(
      fc.property(anyField, anyNumber, (field, value) => {
        const figure = roundToPrecision(field, value === -Infinity ? null : value);
        if (figure !== null) expect(fromScaled(field, toScaled(field, figure))).toBe(figure);
      }),
      { numRuns: 2_000 },
    );
  });

  it('compare with a bound as the floats do', () => {
    fc.assert(
      fc.property(anyField, anyNumber, anyNumber, (field, value, far) => {
        const figure = roundToPrecision(field, value === -Infinity ? null : value);
        if (figure === null) return;
        const scaled = toScaled(field, figure);
        const bounds = [far, figure, ...neighbours(figure), Infinity, -Infinity, 0];
        const wrong = bounds.filter(
          (bound) =>
            !Number.isNaN(bound) &&
            (scaled >= firstAtLeast(field, bound) !== figure >= bound ||
              scaled <= lastAtMost(field, bound) !== figure <= bound),
        );
        // The matcher is slow, so it runs only when there is a difference to show.
        if (wrong.length > 0) expect({ field, figure, wrong }).toEqual({ field, figure, wrong: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('treat decimal bounds as written', () => {
    expect(toScaled('sharpeRatio', 1.235)).toBe(1_235);
    expect(firstAtLeast('sharpeRatio', 0.1 + 0.2)).toBe(301);
    expect(lastAtMost('sharpeRatio', 0.3)).toBe(300);
    expect(firstAtLeast('likes', 3.0000001)).toBe(4);
    expect(toScaled('profitFactor', Infinity)).toBe(scaledInfinity);
  });

  it('keep infinity above the largest finite figure', () => {
    const largest = fromScaled('likes', scaledInfinity - 1);
    expect(toScaled('likes', largest)).toBeLessThan(scaledInfinity);
    expect(lastAtMost('likes', largest)).toBeLessThan(scaledInfinity);
    expect(firstAtLeast('likes', 1e300)).toBe(scaledInfinity);
  });
});
