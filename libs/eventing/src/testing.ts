export { deciderSpec } from './testing/decider-spec.ts';
export type { DeathPoint } from './testing/die-at-query.ts';
export { eventually } from './testing/eventually.ts';
export { goldenEvents } from './testing/golden-events.ts';
export { checkAsyncProperty, checkProperty, propertyRuns, testSeed } from './testing/property.ts';
export { goldenSnapshots } from './testing/golden-snapshots.ts';
export { recordedEvent, sampleEvent } from './testing/sample-events.ts';
