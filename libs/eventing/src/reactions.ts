export {
  pendingEvents,
  type PendingEventView,
  type PendingFilter,
  type PendingState,
} from './reactions/pending-events.ts';
export {
  startReactions,
  type RunningReactions,
  type StartReactionsOptions,
} from './reactions/start-reactions.ts';
export type { ReactionPoint } from './reactions/consumer.ts';
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
export {
  waitingEvents,
  waitingGroups,
  type WaitingEvent,
  type WaitingFilter,
  type WaitingGroup,
} from './reactions/waiting-events.ts';
