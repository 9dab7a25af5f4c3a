import fc from 'fast-check';

/** An event of the sample projection, which may be poison or contain a value that PostgreSQL refuses. */
export const anyEvent = fc.record({
  stream: fc.constantFrom('sample-a', 'sample-b', 'sample-c'),
  type: fc.constantFrom('Opened', 'Added', 'Added', 'Added', 'Closed', 'Ignored'),
  amount: fc.oneof({ weight: 8, arbitrary: fc.nat(99) }, { weight: 1, arbitrary: fc.constant('refused') }),
  poison: fc.oneof(
    { weight: 12, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
