export { afterReplay } from './effects/after-replay.ts';
export { interruptedReplays, type InterruptedReplaysPorts } from './jobs/interrupted-replays.ts';
