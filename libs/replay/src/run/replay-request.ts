import type { Actor } from '@tapedeck/eventing';
import type { ReplayMode, ReplayTarget } from '../domain/replay-events.ts';

/** `at` is ISO 8601 UTC: the time of the dry run, also when it is applied. */
export type ReplayRequest = Readonly<{
  replayId: string;
  mode: ReplayMode;
  target: ReplayTarget;
  at: string;
  actor: Actor;
}>;
