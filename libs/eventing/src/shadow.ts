export { createShadow, type Shadow, type ShadowOptions } from './shadow/shadow-tape.ts';
export {
  runShadow,
  type ShadowCommand,
  type ShadowFailure,
  type ShadowParts,
  type ShadowRun,
} from './shadow/run-shadow.ts';
export { rowDifferences, type FieldDifference } from './shadow/row-differences.ts';
