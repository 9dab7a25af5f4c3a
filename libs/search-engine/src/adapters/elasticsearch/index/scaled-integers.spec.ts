import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { facetFields } from '../../../contract.ts';
import { inGrain } from '../../../catalogue/precision.ts';
import { firstAtLeast, fromGrains, infinite, lastAtMost, toGrains } from './scaled-integers.ts';

const field = fc.constantFrom(...facetFields);
const small = fc.double({ min: -1_000, max: 1_000, noNaN: true });
const anyNumber = fc.oneof(small, fc.double({ noNaN: true }));

const neighbours = (value: number): readonly number[] => {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const at = bits.getBigInt64(0);
  return [at - 1n, at + 1n].map((next) => {
    bits.setBigInt64(0, next);
    return bits.getFloat64(0);
  });
};

describe('figures as whole numbers', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(field, anyNumber, (name, value) => {
        const figure = inGrain(name, value === -Infinity ? null : value);
        if (figure !== null) expect(fromGrains(name, toGrains(name, figure))).toBe(figure);
      }),
      { numRuns: 2_000 },
    );
  });

  it('pass a bound exactly when the float does', () => {
    fc.assert(
      fc.property(field, anyNumber, anyNumber, (name, value, far) => {
        const figure = inGrain(name, value === -Infinity ? null : value);
        if (figure === null) return;
        const grains = toGrains(name, figure);
        const bounds = [far, figure, ...neighbours(figure), Infinity, -Infinity, 0];
        const wrong = bounds.filter(
          (bound) =>
            !Number.isNaN(bound) &&
            (grains >= firstAtLeast(name, bound) !== figure >= bound ||
              grains <= lastAtMost(name, bound) !== figure <= bound),
        );
        // The matcher is slow where there is nothing to find.
        if (wrong.length > 0) expect({ name, figure, wrong }).toEqual({ name, figure, wrong: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('decide decimal bounds as written', () => {
    expect(toGrains('sharpeRatio', 1.235)).toBe(1_235);
    expect(firstAtLeast('sharpeRatio', 0.1 + 0.2)).toBe(301);
    expect(lastAtMost('sharpeRatio', 0.3)).toBe(300);
    expect(firstAtLeast('likes', 3.0000001)).toBe(4);
    expect(toGrains('profitFactor', Infinity)).toBe(infinite);
  });

  it('never hide infinity behind the largest number', () => {
    const largest = fromGrains('likes', infinite - 1);
    expect(toGrains('likes', largest)).toBeLessThan(infinite);
    expect(lastAtMost('likes', largest)).toBeLessThan(infinite);
    expect(firstAtLeast('likes', 1e300)).toBe(infinite);
  });
});
