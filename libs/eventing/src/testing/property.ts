import fc from 'fast-check';

const numberOf = (variable: string, otherwise: number): number => {
  const given = Number(process.env[variable]);
  return Number.isFinite(given) && given > 0 ? given : otherwise;
};

/** What random values of a test run begin with. The run prints it at its end; `TEST_SEED` repeats it. */
export const testSeed = (): number => Math.trunc(numberOf('TEST_SEED', 1));

/** How many of the runs of a property are made: the share `PROPERTY_RUNS` of them, which is 1 in `npm run test:faults`. */
export const propertyRuns = (all: number, atLeast = 10): number =>
  Math.min(all, Math.max(atLeast, Math.ceil(all * numberOf('PROPERTY_RUNS', 1))));

/**
 * Checks a property with random values.
 *
 * @example
 * checkProperty(fc.property(fc.nat(), (n) => expect(n).toBeGreaterThanOrEqual(0)), { numRuns: 100 });
 */
export const checkProperty = <Values extends [unknown, ...unknown[]]>(
  property: fc.IProperty<Values>,
  { numRuns }: { readonly numRuns: number },
): void => fc.assert(property, { numRuns: propertyRuns(numRuns), seed: testSeed() });

/** As `checkProperty`, for asynchronous properties. */
export const checkAsyncProperty = <Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Values>,
  { numRuns }: { readonly numRuns: number },
): Promise<void> => fc.assert(property, { numRuns: propertyRuns(numRuns), seed: testSeed() });
