export {
  ignoreParked,
  pendingEvents,
  retryParked,
  type PendingEventView,
  type PendingFilter,
  type PendingState,
} from './reactions/operate.ts';
export {
  startReactions,
  type RunningReactions,
  type StartReactionsOptions,
} from './reactions/start-reactions.ts';
export type { ReactionPoint } from './reactions/subscription.ts';
