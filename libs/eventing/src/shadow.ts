export { createShadow, type Shadow, type ShadowOptions } from './shadow/shadow-tape.ts';
export {
  runShadow,
  type HandledAgain,
  type ShadowCommand,
  type ShadowFailure,
  type ShadowInput,
  type ShadowParts,
  type ShadowRun,
} from './shadow/run-shadow.ts';
export { rowDifferences, type FieldDifference } from './shadow/row-differences.ts';
