export * from './testing/decider-spec.ts';
