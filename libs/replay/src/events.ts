export type {
  ReplayMode,
  ReplayTarget,
  ReplayFigures,
  Release,
  ReplayParticipants,
  ReplayTried,
  ReplayApplied,
  ReplayCompleted,
  ReplayEvent,
} from './domain/replay.ts';
export { replayEvents, replayStream, replaySubject } from './domain/replay.ts';
