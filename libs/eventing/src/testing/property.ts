import fc from 'fast-check';

/**
 * Checks a property with random values. It prints the seed; `FC_SEED` repeats a run.
 *
 * @example
 * checkProperty(fc.property(fc.nat(), (n) => expect(n).toBeGreaterThanOrEqual(0)), { numRuns: 100 });
 */
export const checkProperty = <Values extends [unknown, ...unknown[]]>(
  property: fc.IProperty<Values>,
  { numRuns }: { readonly numRuns: number },
): void => fc.assert(property, { numRuns, seed: seedOfRun() });

/** As `checkProperty`, for asynchronous properties. */
export const checkAsyncProperty = <Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Values>,
  { numRuns }: { readonly numRuns: number },
): Promise<void> => fc.assert(property, { numRuns, seed: seedOfRun() });

let printed = false;

const seedOfRun = (): number => {
  const given = Number(process.env['FC_SEED']);
  const seed = Number.isSafeInteger(given) && given !== 0 ? given : Date.now() | 0;
  if (!printed) process.stdout.write(`property seed ${seed} (repeat with FC_SEED=${seed})\n`);
  printed = true;
  return seed;
};
